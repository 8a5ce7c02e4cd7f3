-- Work and cost of nightly runs. Under row security a login sees only runs for its bank alone, because a row about
-- several banks would reveal other banks.
create or replace view analytics.job_run with (security_invoker = true) as
select r.night_id, r.started_at, r.ended_at, r.as_of, r.pass, cardinality(r.bank_ids) as banks, r.failed, r.outcome,
       r.seconds, r.counts, r.model_calls, r.tokens, r.compression_ratio, r.error, r.worker, r.bank_ids, r.job_run_id
  from memory.job_run r;
comment on view analytics.job_run is 'One row per pass and batch of banks of each nightly run: its work and cost.';
comment on column analytics.job_run.night_id is 'Id of the nightly run, the same for all of its rows.';
comment on column analytics.job_run.started_at is 'When the pass began with the first bank of the batch.';
comment on column analytics.job_run.ended_at is 'When it ended with the last bank so far.';
comment on column analytics.job_run.as_of is 'The time that the run used as the present.';
comment on column analytics.job_run.pass is 'Name of the pass (docs/operations.md, Nightly run), or scrub.';
comment on column analytics.job_run.banks is 'Number of banks processed, failed ones included.';
comment on column analytics.job_run.failed is 'Number of banks in which the pass failed; they are tried again.';
comment on column analytics.job_run.outcome is 'done, or failed if it failed in any bank.';
comment on column analytics.job_run.seconds is 'Time spent in this pass, over all banks.';
comment on column analytics.job_run.counts is 'Numbers of changes by kind.';
comment on column analytics.job_run.model_calls is 'Language model calls, from memory.model_call.';
comment on column analytics.job_run.tokens is 'Tokens of these calls, from memory.model_call.';
comment on column analytics.job_run.compression_ratio is
    'After the last pass of a run, mean over its banks: characters of active and archived episodes divided by those '
    'of active episodes and believed facts. 3 means that a third is kept active.';
comment on column analytics.job_run.error is 'Error of the last bank that failed.';
comment on column analytics.job_run.worker is 'Host and process.';
comment on column analytics.job_run.bank_ids is 'Ids of the banks.';
comment on column analytics.job_run.job_run_id is 'Id of the row.';

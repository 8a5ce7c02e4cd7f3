-- What the nights did and what they cost. A login of row security sees runs that
-- were of its bank alone: a row of several tells of others, too.
create or replace view analytics.job_run with (security_invoker = true) as
select r.night_id, r.started_at, r.ended_at, r.as_of, r.pass, cardinality(r.bank_ids) as banks, r.failed, r.outcome,
       r.seconds, r.counts, r.model_calls, r.tokens, r.compression_ratio, r.error, r.worker, r.bank_ids, r.job_run_id
  from memory.job_run r;
comment on view analytics.job_run is 'One row per pass and batch of banks of each night: what it did, and what it cost.';
comment on column analytics.job_run.night_id is 'The run of the program: the same for all of its rows.';
comment on column analytics.job_run.started_at is 'When the pass began with the first bank of the batch.';
comment on column analytics.job_run.ended_at is 'When it ended with the last one so far.';
comment on column analytics.job_run.as_of is 'The present as the night took it.';
comment on column analytics.job_run.pass is 'consolidate, confidence, merge or budget.';
comment on column analytics.job_run.banks is 'Banks that it went through, failed ones included.';
comment on column analytics.job_run.failed is 'Banks in which it failed; they are tried again.';
comment on column analytics.job_run.outcome is 'done, or failed where it failed in some bank.';
comment on column analytics.job_run.seconds is 'Time spent in this pass, of all banks together.';
comment on column analytics.job_run.counts is 'What was done, by kind.';
comment on column analytics.job_run.model_calls is 'Calls to language models, from the ledger.';
comment on column analytics.job_run.tokens is 'Tokens of these calls, as the ledger has them.';
comment on column analytics.job_run.compression_ratio is
    'After the last pass of a night, mean of the banks: characters of the episodes that can be found, over those of the '
    'active ones and of the facts held to be true. 3 means that a third is carried along.';
comment on column analytics.job_run.error is 'Why it failed, of the last bank in which it did.';
comment on column analytics.job_run.worker is 'Host and process.';
comment on column analytics.job_run.bank_ids is 'The banks.';
comment on column analytics.job_run.job_run_id is 'The row.';

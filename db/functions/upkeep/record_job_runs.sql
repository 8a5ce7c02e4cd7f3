-- Inserts rows of job_run, or updates them: a run over a batch of banks writes its rows with each bank, so that
-- finished work is recorded even if the process crashes before the end of the batch. Called by complete_upkeep and
-- fail_upkeep.
create or replace function memory_internal.record_job_runs(runs jsonb) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into memory.job_run
        (job_run_id, night_id, pass, bank_ids, as_of, started_at, ended_at, seconds, outcome, failed, counts,
         model_calls, tokens, compression_ratio, error, worker)
    select r.job_run_id, r.night_id, r.pass, r.bank_ids, r.as_of, r.started_at, now(), r.seconds, r.outcome, r.failed,
           r.counts, r.model_calls, r.tokens, r.compression_ratio, r.error, r.worker
      from jsonb_populate_recordset(null::memory.job_run, runs) as r
    on conflict on constraint job_run_pkey do update
       set bank_ids = excluded.bank_ids, ended_at = excluded.ended_at, seconds = excluded.seconds,
           outcome = excluded.outcome, failed = excluded.failed, counts = excluded.counts,
           model_calls = excluded.model_calls, tokens = excluded.tokens,
           compression_ratio = excluded.compression_ratio, error = excluded.error;
$$;

-- Ends a lease after a failure: the row is retried at `retry_at`, or is dead after `max_attempts`. Returns 'retry',
-- 'dead', or null if the lease was lost. Called only by fail_work, which also updates the row's subject. Runs as the
-- owner, because the service may not write memory.work.
create or replace function memory_internal.fail_lease(
    bank text, kind text, subject text, token uuid, reason text, retry_at timestamptz, max_attempts integer,
    at timestamptz)
returns text
language sql security definer set search_path = pg_catalog, pg_temp as $$
    update memory.work w
       set lease_token = null, claimed_generation = null, last_error = reason,
           not_before = retry_at,
           dead_at = case when w.attempts >= max_attempts and w.generation = w.claimed_generation then at end
     where w.bank_id = bank and w.kind = fail_lease.kind and w.subject = fail_lease.subject
       and w.lease_token = token
    returning case when w.dead_at is null then 'retry' else 'dead' end;
$$;

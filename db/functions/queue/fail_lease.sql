-- The queue's part of a failure; callers use fail_work, which also marks what the row was about.
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

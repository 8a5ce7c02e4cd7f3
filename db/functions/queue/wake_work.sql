-- Makes the bank's rows that wait with this `last_error` ready at once, such as after the daily token limit was
-- raised. Returns their number. Runs as the owner.
create or replace function memory_api.wake_work(bank text, reason text, at timestamptz default now()) returns integer
language sql security definer set search_path = pg_catalog, pg_temp as $$
    with woken as (
        update memory.work w
           set not_before = at
         where w.bank_id = bank and w.last_error = reason and w.lease_token is null and w.dead_at is null
           and w.not_before > at
        returning 1
    )
    select count(*)::integer from woken;
$$;

-- The passes are through with a bank: it is due again when something changes by time alone, or at `again_at` where they
-- left something for another night. Where it changed while they were at it, it stays due. `runs` are the rows of job_run,
-- as record_job_runs takes them. False where the lease is no longer ours; then nothing is written.
create or replace function memory_api.complete_upkeep(
    bank text, token uuid, runs jsonb, message_days double precision, again_at timestamptz default null,
    at timestamptz default now())
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    next_at timestamptz;
begin
    -- Before the row is locked: what changes the bank from here on changes its generation, too.
    next_at := least(again_at, memory_internal.next_upkeep_time(bank, message_days, at));
    update memory.upkeep u
       set due_at = case when u.generation = u.claimed_generation then next_at else u.due_at end,
           lease_token = null, claimed_generation = null, not_before = '-infinity', attempts = 0, last_error = null,
           ran_at = now()
     where u.bank_id = bank and u.lease_token = token;
    if not found then
        return false;
    end if;
    perform memory_internal.record_job_runs(runs);
    return true;
end $$;

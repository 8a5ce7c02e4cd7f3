-- Ends the lease of a processed bank and sets when it is due again: at the next change by time alone
-- (next_upkeep_time), or at `again_at` if the passes left work. A bank that changed meanwhile (higher generation)
-- stays due. `runs` are rows of job_run for record_job_runs. Returns false, and writes nothing, if the lease was
-- lost.
create or replace function memory_api.complete_upkeep(
    bank text, token uuid, runs jsonb, message_days double precision, again_at timestamptz default null,
    at timestamptz default now(), default_intake text default null)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    next_at timestamptz;
begin
    -- Before the row is locked: any later change of the bank also increments its generation.
    next_at := least(again_at, memory_internal.next_upkeep_time(bank, message_days, at, default_intake));
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

-- Ends the lease of a bank in which a pass failed: it stays due, with the reason, and is claimable after `delay`.
-- Returns false, and writes nothing, if the lease was lost.
create or replace function memory_api.fail_upkeep(bank text, token uuid, reason text, delay interval, runs jsonb)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    update memory.upkeep u
       set lease_token = null, claimed_generation = null, not_before = now() + delay, last_error = reason
     where u.bank_id = bank and u.lease_token = token;
    if not found then
        return false;
    end if;
    perform memory_internal.record_job_runs(runs);
    return true;
end $$;

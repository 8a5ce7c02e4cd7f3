-- Begins the attempt on a claimed bank: increments its attempts and renews the lease. Returns false if the lease was
-- lost. A bank that only waits in a claimed batch is not charged an attempt when the process crashes.
create or replace function memory_api.begin_upkeep(bank text, token uuid, lease interval) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    update memory.upkeep u
       set attempts = u.attempts + 1, claimed_generation = u.generation, not_before = now() + lease
     where u.bank_id = bank and u.lease_token = token;
    return found;
end $$;

-- A claimed bank's turn has come: this is its try, and its lease begins anew. False where the lease is no longer ours.
-- A bank that is only waiting in a batch has not been tried: when its process dies, it is not to blame.
create or replace function memory_api.begin_upkeep(bank text, token uuid, lease interval) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    update memory.upkeep u
       set attempts = u.attempts + 1, claimed_generation = u.generation, not_before = now() + lease
     where u.bank_id = bank and u.lease_token = token;
    return found;
end $$;

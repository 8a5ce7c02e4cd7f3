-- Returns the episodes whose candidate facts are still to be written (work of kind 'facts'). Runs as the owner,
-- because the service may not read memory.work.
create or replace function memory_internal.episodes_awaiting_facts(bank text) returns setof uuid
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform memory_internal.enter_bank(bank);
    return query select w.subject::uuid from memory.work w where w.bank_id = bank and w.kind = 'facts';
end $$;

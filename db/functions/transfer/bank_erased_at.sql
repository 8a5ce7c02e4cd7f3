-- Returns when a bank of this name was erased for the last time, null if never. Runs as the owner: an import into
-- another bank asks about the bank that was exported.
create or replace function memory_internal.bank_erased_at(bank text) returns timestamptz
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select max(e.unreachable_at) from memory.erasure e where e.bank_id = bank and e.scope = 'bank';
$$;

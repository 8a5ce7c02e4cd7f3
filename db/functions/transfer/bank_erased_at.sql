-- Returns when this bank, or the bank `exported_bank`, was erased for the last time, null if never. Runs as the owner:
-- an import asks about the bank that was exported.
create or replace function memory_internal.bank_erased_at(bank text, exported_bank text) returns timestamptz
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform memory_internal.enter_bank(bank);
    return (select max(e.unreachable_at) from memory.erasure e
             where (e.bank_id = bank or e.bank_id = exported_bank) and e.scope = 'bank');
end $$;

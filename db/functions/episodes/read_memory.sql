-- Returns one memory of any type, or no row.
create or replace function memory_api.read_memory(bank text, memory uuid) returns setof memory_api.memory_item
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    return query select i.* from memory_api.memory_item i where i.bank_id = bank and i.memory_id = memory;
end $$;

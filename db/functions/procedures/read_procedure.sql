-- Returns one procedure, whatever its status, or no row.
create or replace function memory_api.read_procedure(bank text, memory uuid) returns setof memory_api.procedure_entry
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    return query select p.* from memory_api.procedure_entry p where p.bank_id = bank and p.memory_id = memory;
end $$;

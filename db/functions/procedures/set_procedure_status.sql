-- Changes the status of a procedure that has `from_status` and records it; does nothing otherwise, also if there is no
-- such procedure. Returns whether it did.
create or replace function memory_internal.set_procedure_status(
    bank text, memory uuid, from_status text, to_status text, reason text, actor text, at timestamptz)
returns boolean
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    update memory.procedural_memory p
       set status = to_status
     where p.bank_id = bank and p.memory_id = memory and p.status = from_status;
    if not found then
        return false;
    end if;
    perform memory_internal.record_procedure(bank, memory, 'status', from_status, reason, actor, at);
    return true;
end $$;

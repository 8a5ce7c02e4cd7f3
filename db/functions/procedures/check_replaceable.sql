-- Raises ME021 if the bank has no such procedure, ME015 if it is not in use, so that nothing can replace it.
create or replace function memory_internal.check_replaceable(bank text, memory uuid) returns void
language plpgsql as $$
declare
    present_status text;
begin
    perform memory_internal.enter_bank(bank);
    select p.status into present_status
      from memory.procedural_memory p
     where p.bank_id = bank and p.memory_id = memory;
    if not found then
        raise exception using errcode = 'ME021', message = memory::text;
    elsif present_status not in ('active', 'tentative') then
        raise exception using errcode = 'ME015', message = present_status;
    end if;
end $$;

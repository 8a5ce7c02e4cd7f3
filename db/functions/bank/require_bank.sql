-- Enters the bank (enter_bank); raises ME001 where it does not exist, ME080 where it is on another server.
create or replace function memory_internal.require_bank(bank text) returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    if not exists (select from memory.bank b where b.bank_id = bank) then
        perform memory_internal.require_home(bank);
        raise exception using errcode = 'ME001', message = format('there is no bank %L', bank);
    end if;
end $$;

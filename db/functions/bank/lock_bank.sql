-- Enters the bank (require_bank) and takes the bank lock (enter_bank). Raises ME001 where it does not exist.
create or replace function memory_internal.lock_bank(bank text) returns void
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
end $$;

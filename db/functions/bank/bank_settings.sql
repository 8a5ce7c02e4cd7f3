-- Enters the bank and returns its settings, null where it does not exist.
create or replace function memory_internal.bank_settings(bank text) returns jsonb
language plpgsql stable as $$
begin
    perform memory_internal.enter_bank(bank);
    return (select b.settings from memory.bank b where b.bank_id = bank);
end $$;

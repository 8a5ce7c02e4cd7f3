-- Takes the bank lock for a write of vectors of `model`; raises ME061 if the bank's embedding model has changed since
-- the texts were read: the caller reads and embeds them again.
create or replace function memory_internal.lock_bank_of_model(bank text, model text) returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    perform memory_internal.require_model(bank, model);
end $$;

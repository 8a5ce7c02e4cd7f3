-- Enters the bank; raises ME001 where it does not exist, ME061 if its embedding model is another one than `model`.
create or replace function memory_internal.require_model(bank text, model text) returns void
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    if not exists (select from memory.bank b where b.bank_id = bank and b.embedding_model = model) then
        raise exception using errcode = 'ME061', message = model;
    end if;
end $$;

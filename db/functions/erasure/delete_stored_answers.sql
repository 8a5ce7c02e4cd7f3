-- Deletes the stored answers that are about these ids or contain one of them. The caller holds the bank lock.
create or replace function memory_internal.delete_stored_answers(bank text, ids uuid[]) returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    delete from memory.idempotency_key k
     where k.bank_id = bank
       and (k.subject = any (ids) or exists (select from unnest(ids) as g where position(g::text in k.body) > 0));
end $$;

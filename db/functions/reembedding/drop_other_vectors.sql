-- Deletes the vectors that these memories have of the other model of a re-embedding, because their texts have changed:
-- those are embedded again before a switch. Called where only the vectors of the bank's embedding model are replaced;
-- other functions delete those of all models. The caller holds the bank lock.
create or replace function memory_internal.drop_other_vectors(bank text, memories uuid[]) returns void
language plpgsql as $$
declare
    model text;
begin
    perform memory_internal.enter_bank(bank);
    select r.other_model into model from memory.reembedding r where r.bank_id = bank;
    if found then
        delete from memory.memory_vector v
         where v.bank_id = bank and v.model_id = model and v.memory_id = any (memories);
        delete from memory.procedural_vector v
         where v.bank_id = bank and v.model_id = model and v.procedure_id = any (memories);
        perform memory_internal.index_vectors(bank, memories);
    end if;
end $$;

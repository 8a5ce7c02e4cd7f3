-- Synchronizes the HNSW index with memory.memory_vector for these memories, if the bank has an index
-- (memory.vector_index). Called by every function that inserts, updates or deletes vectors, in the same transaction.
-- The caller holds the bank lock, as extend_vector_index does, so that no vector is missed.
create or replace function memory_internal.index_vectors(bank text, memories uuid[]) returns void
language plpgsql as $$
declare
    models text[];
begin
    perform memory_internal.enter_bank(bank);
    models := array(
        select x.model_id from memory.vector_index x where x.bank_id = bank and x.state in ('building', 'ready'));
    if models = '{}' then
        return;
    end if;
    delete from memory.indexed_vector i
     where i.bank_id = bank and i.model_id = any (models) and i.memory_id = any (memories)
       and not exists (select from memory.memory_vector v
                        where v.bank_id = bank and v.model_id = i.model_id and v.memory_id = i.memory_id
                          and v.part = i.part);
    insert into memory.indexed_vector as i (bank_id, memory_id, model_id, part, embedding)
    select bank, v.memory_id, v.model_id, v.part, v.embedding
      from memory.memory_vector v
     where v.bank_id = bank and v.model_id = any (models) and v.memory_id = any (memories)
    on conflict on constraint indexed_vector_pkey do update
       set embedding = excluded.embedding
     where i.embedding <> excluded.embedding;
end $$;

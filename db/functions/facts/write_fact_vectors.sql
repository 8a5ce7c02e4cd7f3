-- Writes the vector of the present text of these facts, which have the same, and indexes their words. The caller holds
-- the bank lock.
create or replace function memory_internal.write_fact_vectors(
    bank text, model text, facts uuid[], vector public.halfvec)
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding)
    select bank, f, model, 'semantic', vector from unnest(facts) as f
    on conflict on constraint memory_vector_pkey do update set embedding = excluded.embedding;
    perform memory_internal.index_vectors(bank, facts);
    perform memory_internal.drop_other_vectors(bank, facts);
    perform memory_internal.index_fact_words(bank, facts);
end $$;

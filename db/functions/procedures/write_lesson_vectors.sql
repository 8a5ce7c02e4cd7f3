-- Writes the vectors of lessons that were read by read_lessons; those that changed meanwhile are read again. Takes the
-- bank lock.
create or replace function memory_api.write_lesson_vectors(
    bank text, model text, episodes uuid[], lessons text[], embeddings public.halfvec[])
returns void
language plpgsql as $$
begin
    perform memory_internal.lock_bank_of_model(bank, model);
    insert into memory.lesson_vector (bank_id, episode_id, model_id, lesson_hash, embedding)
    select bank, n.episode_id, model, md5(n.lesson), n.embedding
      from unnest(episodes, lessons, embeddings) as n (episode_id, lesson, embedding)
     where exists (select from memory.episodic_memory e where e.bank_id = bank and e.memory_id = n.episode_id)
    on conflict on constraint lesson_vector_pkey do update
       set lesson_hash = excluded.lesson_hash, embedding = excluded.embedding, compared_at = null;
end $$;

-- Writes vectors of the other model, beside those of the bank's embedding model, and returns how many texts were
-- written. Skipped are texts that changed or were deleted since they were read, and all if the bank is no longer copied
-- to `model`. `texts` are rows of reembedding_texts, as {kind, id, part, content}; vector n belongs to text
-- `of_texts[n]` (from 1) and has part number `parts[n]`. The HNSW index of the other model is kept as well. Called by
-- reembed. Takes the bank lock: no writer changes a text between the comparison and the commit.
create or replace function memory_api.write_reembedding(
    bank text, model text, texts jsonb, of_texts integer[], parts integer[], embeddings public.halfvec[])
returns integer
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    used_model text;
    unchanged integer[];
begin
    perform memory_internal.require_bank(bank);
    select b.embedding_model into used_model from memory.bank b where b.bank_id = bank for no key update;
    if not exists (select from memory.reembedding r
                    where r.bank_id = bank and r.other_model = model and r.status = 'copying') then
        return 0;
    end if;
    unchanged := array(
        select t.place::integer
          from jsonb_array_elements(texts) with ordinality as t (item, place)
         cross join lateral jsonb_to_record(t.item) as i (kind text, id uuid, part integer, content text)
         cross join lateral memory_internal.embedded_text(bank, i.kind, i.id, i.part) as present
         where present.content = i.content);
    insert into memory.lesson_vector (bank_id, episode_id, model_id, lesson_hash, embedding, compared_at)
    select bank, u.episode_id, model, u.lesson_hash, v.embedding, u.compared_at
      from unnest(of_texts, embeddings) as v (place, embedding)
     cross join lateral jsonb_to_record(texts -> v.place - 1) as i (kind text, id uuid, content text)
      join memory.lesson_vector u
        on u.bank_id = bank and u.model_id = used_model and u.episode_id = i.id and u.lesson_hash = md5(i.content)
     where v.place = any (unchanged) and i.kind = 'lesson'
    on conflict on constraint lesson_vector_pkey do update
       set lesson_hash = excluded.lesson_hash, embedding = excluded.embedding, compared_at = excluded.compared_at;
    insert into memory.memory_vector (bank_id, memory_id, model_id, part, tier, embedding)
    select bank, i.id, model, v.part, u.tier, v.embedding
      from unnest(of_texts, parts, embeddings) as v (place, part, embedding)
     cross join lateral jsonb_to_record(texts -> v.place - 1) as i (kind text, id uuid, part integer)
      join memory.memory_vector u
        on u.bank_id = bank and u.model_id = used_model and u.memory_id = i.id and u.part = i.part
     where v.place = any (unchanged) and i.kind = 'memory'
    on conflict on constraint memory_vector_pkey do update set embedding = excluded.embedding;
    perform memory_internal.index_vectors(bank, array(
        select distinct (t ->> 'id')::uuid from jsonb_array_elements(texts) as t where t ->> 'kind' = 'memory'));
    insert into memory.relational_vector (bank_id, norm_id, model_id, part, embedding)
    select bank, i.id, model, v.part, v.embedding
      from unnest(of_texts, parts, embeddings) as v (place, part, embedding)
     cross join lateral jsonb_to_record(texts -> v.place - 1) as i (kind text, id uuid)
     where v.place = any (unchanged) and i.kind = 'norm'
    on conflict on constraint relational_vector_pkey do update set embedding = excluded.embedding;
    insert into memory.procedural_vector (bank_id, procedure_id, model_id, part, embedding)
    select bank, i.id, model, v.part, v.embedding
      from unnest(of_texts, parts, embeddings) as v (place, part, embedding)
     cross join lateral jsonb_to_record(texts -> v.place - 1) as i (kind text, id uuid)
     where v.place = any (unchanged) and i.kind = 'procedure'
    on conflict on constraint procedural_vector_pkey do update set embedding = excluded.embedding;
    return cardinality(unchanged);
end $$;

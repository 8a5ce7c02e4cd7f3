-- One call per bank: writes the vectors of a batch and activates its episodes, each only where its lease is still
-- ours, and completes their work. Rows are taken in the order of their ids (promise 8). An episode that is no
-- longer pending just loses its work row. The answer is the number of episodes that became active.
create or replace function memory_api.activate_episodes(
    bank text, model text, memories uuid[], tokens uuid[],
    part_memories uuid[], parts integer[], embeddings public.halfvec[], at timestamptz default now())
returns integer
language plpgsql as $$
declare
    mine record;
    activated integer := 0;
begin
    perform memory_api.enter_bank(bank);
    for mine in
        select m.memory_id, m.token from unnest(memories, tokens) as m (memory_id, token) order by m.memory_id
    loop
        continue when not memory_api.hold_work(bank, 'embed', mine.memory_id::text, mine.token);
        if memory_api.move_episode(
            bank, mine.memory_id, array['pending_embedding'], 'active', 'embedded', 'worker', at)
        then
            insert into memory.memory_vector (bank_id, memory_id, model_id, part, tier, embedding)
            select bank, mine.memory_id, model, p.part, 'episodic', p.embedding
              from unnest(part_memories, parts, embeddings) as p (memory_id, part, embedding)
             where p.memory_id = mine.memory_id
            on conflict on constraint memory_vector_pkey do update set embedding = excluded.embedding;
            activated := activated + 1;
        end if;
        perform memory_api.complete_work(bank, 'embed', mine.memory_id::text, mine.token, null, at);
    end loop;
    return activated;
end $$;

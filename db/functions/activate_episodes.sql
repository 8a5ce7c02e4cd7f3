-- One call per bank: writes the vectors of a batch and activates its episodes, or finds that one says again what is
-- known and reinforces that instead; each only where its lease is still ours, and completes their work.
-- The bank's lock comes first, so that of two that say the same one is the second, whoever works on them; then rows in
-- the order of their ids (promise 8). An episode that is no longer pending just loses its work row.
-- Verbatim banks keep everything apart. The answer is the number of episodes that became active.
create or replace function memory_api.activate_episodes(
    bank text, model text, memories uuid[], tokens uuid[],
    part_memories uuid[], parts integer[], embeddings public.halfvec[], at timestamptz default now())
returns integer
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    mine record;
    merges boolean;
    known uuid;
    activated integer := 0;
begin
    perform memory_api.enter_bank(bank);
    select b.settings ->> 'intake' is distinct from 'verbatim' into merges
      from memory.bank b
     where b.bank_id = bank
       for no key update;
    for mine in
        select m.memory_id, m.token,
               (select p.embedding from unnest(part_memories, parts, embeddings) as p (memory_id, part, embedding)
                 where p.memory_id = m.memory_id and p.part = 0) as embedding,
               (select count(*) = 1 from unnest(part_memories) as p (memory_id)
                 where p.memory_id = m.memory_id) as whole
          from unnest(memories, tokens) as m (memory_id, token)
         order by m.memory_id
    loop
        continue when not memory_api.hold_work(bank, 'embed', mine.memory_id::text, mine.token);
        if exists (
            select from memory.episodic_memory e
             where e.bank_id = bank and e.memory_id = mine.memory_id and e.status = 'pending_embedding')
        then
            -- A long text of several parts is nobody's duplicate: one part that is near says little of the others.
            known := case when merges and mine.whole
                          then memory_api.find_duplicate(bank, model, mine.memory_id, mine.embedding) end;
            insert into memory.memory_vector (bank_id, memory_id, model_id, part, tier, embedding)
            select bank, mine.memory_id, model, p.part, 'episodic', p.embedding
              from unnest(part_memories, parts, embeddings) as p (memory_id, part, embedding)
             where p.memory_id = mine.memory_id
            on conflict on constraint memory_vector_pkey do update set embedding = excluded.embedding;
            if known is null then
                perform memory_api.move_episode(
                    bank, mine.memory_id, array['pending_embedding'], 'active', 'embedded', 'worker', at);
                activated := activated + 1;
            else
                perform memory_api.reinforce_episode(bank, mine.memory_id, known, at);
            end if;
        end if;
        perform memory_api.complete_work(bank, 'embed', mine.memory_id::text, mine.token, null, at);
    end loop;
    return activated;
end $$;

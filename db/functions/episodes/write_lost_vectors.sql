-- Writes vectors of memories that an import brought without: of archived and merged episodes, facts and procedures.
-- Active and pending episodes are the caller's (activate_episodes), which holds the bank lock. Of a procedure, parts
-- of the reply are those of its situation.
create or replace function memory_internal.write_lost_vectors(
    bank text, model text, memories uuid[], part_memories uuid[], parts integer[], embeddings public.halfvec[])
returns void
language plpgsql as $$
declare
    written uuid[];
begin
    perform memory_internal.enter_bank(bank);
    with stored as (
        insert into memory.memory_vector (bank_id, memory_id, model_id, part, tier, embedding)
        select bank, p.memory_id, model, p.part, m.tier, p.embedding
          from unnest(part_memories, parts, embeddings) as p (memory_id, part, embedding)
          join (select e.memory_id, 'episodic' as tier from memory.episodic_memory e
                 where e.bank_id = bank and e.memory_id = any (memories) and e.status in ('archived', 'merged_into')
                union all
                select f.memory_id, 'semantic' from memory.semantic_memory f
                 where f.bank_id = bank and f.memory_id = any (memories)) as m on m.memory_id = p.memory_id
        on conflict on constraint memory_vector_pkey do nothing
        returning memory_id
    )
    select array_agg(distinct s.memory_id) into written from stored s;
    perform memory_internal.index_vectors(bank, coalesce(written, '{}'));
    insert into memory.procedural_vector (bank_id, procedure_id, model_id, part, embedding)
    select bank, p.memory_id, model, case when p.part < memory_internal.first_reply_part() then 0 else 1 end,
           p.embedding
      from unnest(part_memories, parts, embeddings) as p (memory_id, part, embedding)
      join memory.procedural_memory m on m.bank_id = bank and m.memory_id = p.memory_id
     where p.memory_id = any (memories) and p.part in (0, memory_internal.first_reply_part())
    on conflict on constraint procedural_vector_pkey do nothing;
end $$;

-- Returns the ids of a bank whose hash (erased_id_hash, as hex) is listed. `direct`: an erasure lists it for itself,
-- not as derived from an episode. Norms count as memories as well: requests name them among the memories. Called by
-- replay_erasures.
create or replace function memory_internal.ids_by_hash(bank text, hashes text[])
returns table (kind text, id text, hash text, direct boolean)
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select i.kind, i.id, h.hash, i.direct
          from (select 'message' as kind, m.message_id::text as id, true as direct
                  from memory.message m where m.bank_id = bank
                 union all
                select 'memory', e.memory_id::text, e.summarizes is null
                  from memory.episodic_memory e where e.bank_id = bank
                 union all
                select 'memory', f.memory_id::text, f.extracted_by is null
                  from memory.semantic_memory f where f.bank_id = bank
                 union all
                select 'memory', p.memory_id::text, p.extracted_by is null
                  from memory.procedural_memory p where p.bank_id = bank
                 union all
                select k.kind, n.memory_id::text, n.extracted_by = 'stated'
                  from memory.relational_memory n cross join (values ('memory'), ('norm')) as k (kind)
                 where n.bank_id = bank
                 union all
                select 'conversation', c.id, true
                  from (select m.conversation_id as id from memory.message m where m.bank_id = bank
                         union select e.conversation_id from memory.episodic_memory e where e.bank_id = bank
                         union select o.conversation_id from memory.conversation o where o.bank_id = bank
                         union select o.conversation_id from memory.fact_mention o where o.bank_id = bank
                         union select t.parameters ->> 'conversation_id' from memory.retrieval_trace t
                                where t.bank_id = bank) as c
                 where c.id is not null
                 union all
                select 'agent', a.id, true
                  from (select m.agent_id as id from memory.message m where m.bank_id = bank
                         union select e.agent_id from memory.episodic_memory e where e.bank_id = bank
                         union select f.agent_id from memory.semantic_memory f where f.bank_id = bank
                         union select p.agent_id from memory.procedural_memory p where p.bank_id = bank
                         union select n.agent_id from memory.relational_memory n where n.bank_id = bank
                         union select v.actor from memory.procedure_version v where v.bank_id = bank
                         union select q.actor from memory.clarification q where q.bank_id = bank) as a
                 where a.id is not null) as i
         cross join lateral (select encode(memory_internal.erased_id_hash(i.kind, i.id), 'hex') as hash) as h
          join (select distinct u.hash from unnest(hashes) as u (hash)) as listed on listed.hash = h.hash;
end $$;

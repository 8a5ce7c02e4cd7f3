-- Returns the memories, norms, messages and traces that an erasure names directly; data derived from them is found by
-- the functions that delete it. A selector holds ids and times: memory_ids, message_ids, conversation_id, since and
-- until (half open), or agent_id.
--   memory, search  these memories and norms, with the sources of their text: the episodes that a summary sums up, that
--                   state a fact (all its periods and merged rows, and the commit that it is a part of), a procedure
--                   or a norm; and an episode's duplicates
--   ledger          these memories, norms and messages alone: what an import would bring back (erase_again)
--   others          episodes and messages of the conversation, period or agent, and explicit commits and
--                   statements in it. A period is that of the statement: occurred_at of messages, episodes, and the
--                   judgement or evidence that a commit is (occurred_at of facts and procedures is that of their last
--                   statement, valid_from that of their first), and recorded_at of norms. Traces of the contexts of the
--                   conversation, and of all reads in the period: their query may be stored nowhere else
-- A segment is erased whole: its messages are those of its episode. Called by erase_rows.
create or replace function memory_internal.erasure_selection(
    bank text, scope text, selector jsonb, out episodes uuid[], out facts uuid[], out procedures uuid[],
    out norms uuid[], out messages uuid[], out traces uuid[])
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    named constant uuid[] := array(select jsonb_array_elements_text(selector -> 'memory_ids')::uuid);
    conversation constant text := selector ->> 'conversation_id';
    agent constant text := selector ->> 'agent_id';
    since constant timestamptz := (selector ->> 'since')::timestamptz;
    until constant timestamptz := (selector ->> 'until')::timestamptz;
begin
    perform memory_internal.enter_bank(bank);
    traces := array(
        select t.trace_id
          from memory.retrieval_trace t
         where t.bank_id = bank
           and case scope when 'conversation' then t.parameters ->> 'conversation_id' = conversation
                          when 'period' then t.at >= since and t.at < until
                          else false end);
    if scope = 'ledger' then
        episodes := array(
            select e.memory_id from memory.episodic_memory e where e.bank_id = bank and e.memory_id = any (named));
        facts := array(
            select f.memory_id from memory.semantic_memory f where f.bank_id = bank and f.memory_id = any (named));
        procedures := array(
            select p.memory_id from memory.procedural_memory p where p.bank_id = bank and p.memory_id = any (named));
        norms := array(
            select n.memory_id from memory.relational_memory n where n.bank_id = bank and n.memory_id = any (named));
        messages := array(select jsonb_array_elements_text(selector -> 'message_ids')::uuid);
    elsif scope in ('memory', 'search') then
        facts := array(
            with recursive same as (
                select f.memory_id, f.timeline, lower(f.value) as value, f.merged_into_id, f.given ->> 'part_of' as whole
                  from memory.semantic_memory f
                 where f.bank_id = bank and f.memory_id = any (named)
                 union
                select f.memory_id, f.timeline, lower(f.value), f.merged_into_id, f.given ->> 'part_of'
                  from same s
                  join memory.semantic_memory f
                    on f.bank_id = bank
                   and (f.timeline = s.timeline and lower(f.value) is not distinct from s.value
                        or f.merged_into_id = s.memory_id or f.memory_id = s.merged_into_id
                        or f.given ->> 'part_of' = s.memory_id::text or f.memory_id = s.whole::uuid)
            )
            select s.memory_id from same s);
        procedures := array(
            select p.memory_id from memory.procedural_memory p where p.bank_id = bank and p.memory_id = any (named));
        norms := array(
            select n.memory_id from memory.relational_memory n where n.bank_id = bank and n.memory_id = any (named));
        episodes := array(
            with recursive source as (
                select i.memory_id
                  from (select unnest(named) as memory_id
                         union select v.episode_id from memory.fact_evidence v
                                where v.bank_id = bank and v.fact_id = any (facts)
                         union select v.evidence_id from memory.procedure_evidence v
                                where v.bank_id = bank and v.procedure_id = any (procedures)
                         union select v.episode_id from memory.relational_evidence v
                                where v.bank_id = bank and v.norm_id = any (norms)) as i
                  join memory.episodic_memory e on e.bank_id = bank and e.memory_id = i.memory_id
                 union
                select o.memory_id
                  from source s
                  join memory.episodic_memory e on e.bank_id = bank and e.memory_id = s.memory_id
                 cross join lateral (
                    select d.memory_id from memory.episodic_memory d
                     where d.bank_id = bank and d.merged_into_id = e.memory_id
                     union all
                    select r.memory_id from memory.episodic_memory r
                     where r.bank_id = bank and r.memory_id = e.merged_into_id
                     union all
                    select l.linked_id from memory.memory_link l
                     where l.bank_id = bank and l.memory_id = e.memory_id and l.reason = 'summary'
                       and e.summarizes is not null) as o
            )
            select s.memory_id from source s);
        messages := '{}';
    else
        messages := array(
            select m.message_id
              from memory.message m
             where m.bank_id = bank
               and case scope when 'conversation' then m.conversation_id = conversation
                              when 'agent' then m.agent_id = agent
                              else m.occurred_at >= since and m.occurred_at < until end);
        episodes := array(
            select e.memory_id
              from memory.episodic_memory e
             where e.bank_id = bank and e.summarizes is null
               and case scope when 'conversation' then e.conversation_id = conversation
                              when 'agent' then e.agent_id = agent
                              else e.occurred_at >= since and e.occurred_at < until end
             union
            select e.memory_id
              from memory.message m
              join memory.episodic_memory e on e.bank_id = bank and e.segment_id = m.segment_id
             where m.bank_id = bank and m.message_id = any (messages) and m.segment_id is not null
             union
            -- Episodes that storage strategies deleted: facts keep their evidence (delete_episodes).
            select m.memory_id
              from memory.message m
             where m.bank_id = bank and m.message_id = any (messages) and m.memory_id is not null
             union
            -- Commits that storage strategies deleted: only the evidence has their time.
            select v.episode_id
              from memory.fact_evidence v
             where v.bank_id = bank and scope = 'period' and v.occurred_at >= since and v.occurred_at < until
               and not exists (select from memory.episodic_memory e
                                where e.bank_id = bank and e.memory_id = v.episode_id));
        -- Committed facts have no extractor; extracted ones are found by their evidence.
        facts := array(
            select f.memory_id
              from memory.semantic_memory f
             where f.bank_id = bank and f.extracted_by is null
               and case scope when 'agent' then f.agent_id = agent
                              when 'period' then exists (
                                  select from memory.fact_judgement j
                                   where j.bank_id = bank and j.judgement = 'committed'
                                     and j.recorded_at = f.recorded_at
                                     and j.occurred_at >= since and j.occurred_at < until)
                              else false end);
        procedures := array(
            select p.memory_id
              from memory.procedural_memory p
             where p.bank_id = bank and p.extracted_by is null
               and case scope when 'agent' then p.agent_id = agent
                              when 'period' then exists (
                                  select
                                    from (select coalesce(min(v.occurred_at), p.occurred_at) as at
                                            from memory.procedure_evidence v
                                           where v.bank_id = bank and v.evidence_id = p.memory_id) as stated
                                   where stated.at >= since and stated.at < until)
                              else false end);
        norms := array(
            select n.memory_id
              from memory.relational_memory n
             where n.bank_id = bank and n.extracted_by = 'stated'
               and case scope when 'agent' then n.agent_id = agent
                              when 'period' then n.recorded_at >= since and n.recorded_at < until
                              else false end);
    end if;
    messages := array(
        select m.message_id from memory.message m where m.bank_id = bank and m.message_id = any (messages)
         union
        select m.message_id
          from memory.message m
         where m.bank_id = bank and m.segment_id is not null
           and (m.segment_id = any (array(select e.segment_id from memory.episodic_memory e
                                           where e.bank_id = bank and e.memory_id = any (episodes)))
                or m.segment_id = any (array(select s.segment_id from memory.message s
                                              where s.bank_id = bank and s.message_id = any (messages)))));
end $$;

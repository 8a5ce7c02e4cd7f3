-- An episode in the form in which all interfaces return a memory. Row security of the caller applies
-- (security_invoker). `links` is one index scan per row and direction; it must stay a scalar subquery of the select
-- list, so that below a limit it is evaluated for the returned rows only. `etag` changes with each change of the
-- episode, except of its access count and links.
create or replace view memory_api.episode_item with (security_invoker = true) as
select e.bank_id, e.memory_id, 'episodic'::text as type, e.summary as content, e.occurred_at, e.recorded_at,
       e.importance, e.emotional_valence as valence, e.emotions, e.topics, e.entities, e.lesson, e.tags, e.recipients,
       e.metadata, e.status, e.source, e.agent_id, e.conversation_id, e.extracted_by, e.represents, e.access_count,
       e.merged_into_id,
       array(select l.other
               from (select o.linked_id as other, o.strength
                       from memory.memory_link o
                      where o.bank_id = e.bank_id and o.memory_id = e.memory_id
                      union all
                     select i.memory_id, i.strength
                       from memory.memory_link i
                      where i.bank_id = e.bank_id and i.linked_id = e.memory_id) as l
              group by l.other
              order by max(l.strength) desc, l.other
              limit 10) as links,
       e.reply,
       left(md5(row(e.summary, e.status, e.importance, e.emotional_valence, e.emotions, e.topics, e.entities, e.lesson, e.tags,
               e.recipients, e.metadata, e.extracted_by, e.represents, e.merged_into_id, e.reply)::text), 16) as etag
  from memory.episodic_memory e;

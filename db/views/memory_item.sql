-- A memory as every door shows it. The caller's rights hold, not the view owner's: row security stays in force.
create or replace view memory_api.memory_item with (security_invoker = true) as
select e.bank_id, e.memory_id, 'episodic'::text as type, e.summary as content, e.occurred_at, e.recorded_at,
       e.importance, e.emotional_valence as valence, e.emotions, e.topics, e.entities, e.lesson, e.tags, e.recipients,
       e.metadata, e.status, e.source, e.agent_id, e.conversation_id, e.extracted_by, e.represents, e.access_count,
       e.merged_into_id
  from memory.episodic_memory e;

-- A procedure in the form in which all interfaces return a memory: `occurred_at` is when it was last stated or taught,
-- `represents` its number of statements, `links` the latest of its episodes. See memory_api.episode_item for the
-- position of `links` and for `etag`.
create or replace view memory_api.procedure_item with (security_invoker = true) as
select p.bank_id, p.memory_id, 'procedural'::text as type, p.content, p.occurred_at, p.recorded_at, p.importance,
       null::double precision as valence, '{}'::text[] as emotions, '{}'::text[] as topics, '{}'::text[] as entities,
       null::text as lesson, p.tags, p.recipients, p.metadata, p.status, p.source, p.agent_id,
       null::text as conversation_id, p.extracted_by, p.evidence_count as represents, p.access_count, p.merged_into_id,
       array(select v.evidence_id
               from memory.procedure_evidence v
              where v.bank_id = p.bank_id and v.procedure_id = p.memory_id and v.evidence_id <> p.memory_id
              order by v.occurred_at desc, v.evidence_id
              limit 10) as links,
       null::text as reply,
       left(md5(row(p.content, p.situation, p.steps, p.why, p.status, p.importance, p.tags, p.recipients, p.metadata,
               p.evidence_count, p.merged_into_id, p.version)::text), 16) as etag
  from memory.procedural_memory p;

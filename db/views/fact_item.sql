-- A fact in the form in which all interfaces return a memory: `occurred_at` is its last confirmation, `represents`
-- its number of episodes, `links` the latest of them. See memory_api.episode_item for the position of `links`
-- and for `etag`.
create or replace view memory_api.fact_item with (security_invoker = true) as
select f.bank_id, f.memory_id, 'semantic'::text as type, f.fact as content, f.occurred_at, f.recorded_at, f.importance,
       null::double precision as valence, '{}'::text[] as emotions, '{}'::text[] as topics,
       array_remove(array[memory_internal.display_subject(f.bank_id, f.subject) collate "default"], null) as entities,
       null::text as lesson, f.tags, f.recipients, f.metadata, f.status,
       f.source, f.agent_id, null::text as conversation_id, f.extracted_by, f.evidence_count as represents,
       f.access_count, f.merged_into_id,
       array(select e.episode_id
               from memory.fact_evidence e
              where e.bank_id = f.bank_id and e.fact_id = f.memory_id
              order by e.occurred_at desc, e.episode_id
              limit 10) as links,
       null::text as reply,
       left(md5(row(f.fact, f.status, f.importance, f.subject, f.tags, f.recipients, f.metadata, f.evidence_count,
               f.merged_into_id, extract(epoch from f.occurred_at))::text), 16) as etag
  from memory.semantic_memory f;

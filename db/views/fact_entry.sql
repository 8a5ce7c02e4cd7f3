-- A fact as all interfaces return it, with `derived_from`, `version_history` and `contradictions`. `confidence` is
-- the stored one, as of the last evidence; callers decay it to a time (memory_internal.effective_confidence). Row
-- security of the caller applies (security_invoker). Values from other tables must stay scalar subqueries of the
-- select list, so that below a limit they are evaluated for the returned rows only.
create or replace view memory_api.fact_entry with (security_invoker = true) as
select f.bank_id, f.memory_id, f.fact,
       memory_internal.display_subject(f.bank_id, f.subject) collate "default" as subject, f.attribute, f.value, f.status,
       f.confidence, f.importance,
       f.evidence_count, f.first_observed, f.last_confirmed, f.valid_from, f.valid_to, f.superseded_by, f.merged_into_id,
       f.retracted_at, f.pinned,
       exists (select from memory_internal.list_contradictions(f.bank_id, f.memory_id, 'infinity') as c where c.open)
           as unconfirmed,
       array(select c.other_id
               from memory_internal.list_contradictions(f.bank_id, f.memory_id, 'infinity') as c
              order by c.other_id) as contradictions,
       array(select e.episode_id
               from memory.fact_evidence e
              where e.bank_id = f.bank_id and e.fact_id = f.memory_id and e.holds
              order by e.occurred_at, e.episode_id) as derived_from,
       memory_internal.version_history(f.bank_id, f.memory_id, 'infinity') as version_history,
       f.tags, f.recipients, f.metadata, f.recorded_at, f.source, f.agent_id, f.extracted_by,
       f.contradicted_at
  from memory.semantic_memory f;

-- A procedure as all interfaces return it. `weight` is computed from its outcomes (procedure_weight), `avoid` is
-- whether it failed too often (is_avoided), `derived_from` are the episodes that state or teach it. Row security of the
-- caller applies (security_invoker).
create or replace view memory_api.procedure_entry with (security_invoker = true) as
select p.bank_id, p.memory_id, p.kind, p.content, p.situation, p.steps, p.why, p.status, p.confidence, p.importance,
       p.evidence_count, p.worked, p.failed, memory_internal.procedure_weight(p.worked, p.failed) as weight,
       memory_internal.is_avoided(p.worked, p.failed) as avoid, p.pinned, p.occurred_at, p.recorded_at, p.valid_from,
       p.valid_to, p.replaces, p.superseded_by, p.merged_into_id, p.retracted_at,
       array(select v.evidence_id
               from memory.procedure_evidence v
              where v.bank_id = p.bank_id and v.procedure_id = p.memory_id
                and not exists (select from memory.procedural_memory c
                                 where c.bank_id = p.bank_id and c.memory_id = v.evidence_id)
              order by v.occurred_at, v.evidence_id) as derived_from,
       p.tags, p.recipients, p.metadata, p.source, p.agent_id, p.extracted_by, p.version
  from memory.procedural_memory p;

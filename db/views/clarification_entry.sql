-- A clarification question as all interfaces return it, with its two facts, the older first. Answered without
-- `kept_id`: both facts are true. An erased text (erase_notes) is null. Row security of the caller applies
-- (security_invoker).
create or replace view memory_api.clarification_entry with (security_invoker = true) as
select q.bank_id, q.clarification_id, q.question, q.importance, q.status, q.created_at, q.offered_at, q.answered_at,
       q.kept_id, nullif(q.answer, '') as answer, q.actor,
       (select jsonb_agg(jsonb_build_object('memory_id', f.memory_id, 'fact', f.fact, 'valid_from', f.valid_from,
                                            'status', f.status)
                         order by f.valid_from, f.memory_id)
          from memory.semantic_memory f
         where f.bank_id = q.bank_id and f.memory_id in (q.one_id, q.other_id)) as facts
  from memory.clarification q;

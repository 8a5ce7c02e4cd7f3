-- Procedures with their outcomes and weight, for SQL users.
create or replace view analytics.procedural_memory with (security_invoker = true) as
select p.bank_id, p.memory_id, p.kind, p.content, p.situation, p.steps, p.why, p.status, p.confidence, p.importance,
       p.evidence_count, p.worked, p.failed, p.weight, p.avoid, p.pinned, p.occurred_at, p.valid_from, p.valid_to,
       p.superseded_by, p.merged_into_id, p.retracted_at, p.derived_from, p.tags, p.recorded_at
  from memory_api.procedure_entry p;
comment on view analytics.procedural_memory is
    'Habits, routines, patterns, skills and lessons of a bank, past and present. In force: status active, and '
    'valid_from <= now().';
comment on column analytics.procedural_memory.bank_id is
    'The bank.';
comment on column analytics.procedural_memory.memory_id is
    'Id of the procedure.';
comment on column analytics.procedural_memory.kind is
    'habit, routine, pattern, skill or lesson.';
comment on column analytics.procedural_memory.content is
    'The procedure in words.';
comment on column analytics.procedural_memory.situation is
    'When it applies; empty if not known.';
comment on column analytics.procedural_memory.steps is
    'Its steps in order; empty if it has none.';
comment on column analytics.procedural_memory.why is
    'The reason for it, if known.';
comment on column analytics.procedural_memory.status is
    'active; tentative (seen once, not stated as a habit); superseded; deprecated (retracted or dropped); merged_into; pending_embedding, quarantined and failed, which no read returns.';
comment on column analytics.procedural_memory.confidence is
    'How certain it is, 0 to 1.';
comment on column analytics.procedural_memory.importance is
    'Highest importance of its evidence, 0 to 1.';
comment on column analytics.procedural_memory.evidence_count is
    'Number of episodes and commits that state it.';
comment on column analytics.procedural_memory.worked is
    'Outcomes that worked.';
comment on column analytics.procedural_memory.failed is
    'Outcomes that failed.';
comment on column analytics.procedural_memory.weight is
    'Lower bound of the 95 % Wilson interval of the share that worked; 0.2 without outcomes.';
comment on column analytics.procedural_memory.avoid is
    'Whether it failed at least three times and more than twice as often as it worked.';
comment on column analytics.procedural_memory.pinned is
    'Whether it is kept above the cap.';
comment on column analytics.procedural_memory.occurred_at is
    'When it was last stated or taught.';
comment on column analytics.procedural_memory.valid_from is
    'Start of the period in which it applies.';
comment on column analytics.procedural_memory.valid_to is
    'End of that period; null while it applies.';
comment on column analytics.procedural_memory.superseded_by is
    'Id of the procedure that replaced it.';
comment on column analytics.procedural_memory.merged_into_id is
    'Id of the procedure that it repeats.';
comment on column analytics.procedural_memory.retracted_at is
    'When it was retracted as wrong; null otherwise.';
comment on column analytics.procedural_memory.derived_from is
    'Ids of the episodes that state or teach it, oldest first.';
comment on column analytics.procedural_memory.tags is
    'Tags.';
comment on column analytics.procedural_memory.recorded_at is
    'When it was recorded (transaction time).';

-- Norms of relational memory with their present state.
create or replace view analytics.norm with (security_invoker = true) as
select n.bank_id, n.memory_id, n.kind, n.norm, n.situation, n.slot collate "default" as slot, n.value, n.level, n.confidence,
       n.evidence_count, n.status, n.pinned, n.first_observed, n.last_confirmed, n.valid_from, n.valid_to,
       n.superseded_by, n.removed_at, n.source, n.agent_id, n.extracted_by, n.recorded_at, n.version,
       array(select v.episode_id from memory.relational_evidence v
              where v.bank_id = n.bank_id and v.norm_id = n.memory_id
              order by v.occurred_at, v.episode_id) as derived_from
  from memory.relational_memory n;
comment on view analytics.norm is 'One row per norm (how to behave with the person): in force, replaced, ended or removed.';
comment on column analytics.norm.bank_id is 'The bank.';
comment on column analytics.norm.memory_id is 'Id of the norm.';
comment on column analytics.norm.kind is
    'communication_style, preference, instruction, sensitivity or relationship_phase.';
comment on column analytics.norm.norm is 'The norm: an instruction in the third person, a preference in the person''s words.';
comment on column analytics.norm.situation is 'Where it applies; empty: always.';
comment on column analytics.norm.slot is 'What it is about; a newer norm of the same kind and slot replaces it.';
comment on column analytics.norm.value is 'Value within the slot, such as yes, no or a literal.';
comment on column analytics.norm.level is 'Of a sensitivity, 0 to 1.';
comment on column analytics.norm.confidence is 'From 0 to 1; norms do not decay.';
comment on column analytics.norm.evidence_count is 'Statements, or exchanges in which it was observed.';
comment on column analytics.norm.status is 'tentative, stable (three statements, or confirmed) or deprecated.';
comment on column analytics.norm.pinned is 'Messages do not change it.';
comment on column analytics.norm.first_observed is 'First statement or observation.';
comment on column analytics.norm.last_confirmed is 'Last statement, observation or confirmation.';
comment on column analytics.norm.valid_from is 'Begin of its period.';
comment on column analytics.norm.valid_to is 'End of its period; null while in force.';
comment on column analytics.norm.superseded_by is 'The norm that replaced it.';
comment on column analytics.norm.removed_at is 'When a person removed it.';
comment on column analytics.norm.source is 'user, agent or import.';
comment on column analytics.norm.agent_id is 'Agent that wrote it.';
comment on column analytics.norm.extracted_by is 'rules, a model''s name, observation, or stated.';
comment on column analytics.norm.recorded_at is 'When the row was written.';
comment on column analytics.norm.version is 'Number of its latest version.';
comment on column analytics.norm.derived_from is 'Ids of the episodes that state it, oldest first.';

-- memory_api.memory_entry with the column name bank_id, for SQL users.
create or replace view analytics.memory_entry with (security_invoker = true) as
select y.user_id as bank_id, y.memory_id, y.content, y.memory_type, y."timestamp", y.embedding, y.metadata, y.tags,
       y.importance, y.status
  from memory_api.memory_entry y;
comment on view analytics.memory_entry is
    'All memories in one form, whatever their type and status. An episode is an event, a fact is true for a period, '
    'a procedure says what to do in a situation.';
comment on column analytics.memory_entry.bank_id is 'The bank.';
comment on column analytics.memory_entry.memory_id is 'Id of the memory, unique over all types.';
comment on column analytics.memory_entry.content is 'Summary of an episode; text of a fact or procedure.';
comment on column analytics.memory_entry.memory_type is 'episodic, semantic or procedural.';
comment on column analytics.memory_entry.timestamp is 'When an episode happened; when a fact or procedure was last confirmed.';
comment on column analytics.memory_entry.embedding is
    'Unit vector by the bank''s present embedding model, of the first part of a long text; null if there is none.';
comment on column analytics.memory_entry.metadata is 'Metadata attached by the sender.';
comment on column analytics.memory_entry.tags is 'Tags.';
comment on column analytics.memory_entry.importance is
    'Stored importance, 0 to 1; of a fact or procedure the highest of its evidence.';
comment on column analytics.memory_entry.status is
    'Episode: pending_embedding, active, archived, deprecated, merged_into, quarantined or failed. Fact: tentative, '
    'stable, deprecated or merged_into. Procedure: pending_embedding, tentative, active, superseded, deprecated, '
    'merged_into, quarantined or failed.';

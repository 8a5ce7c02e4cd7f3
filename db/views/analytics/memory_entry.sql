-- memory_api.memory_entry for people, with this schema's name for the bank.
create or replace view analytics.memory_entry with (security_invoker = true) as
select y.user_id as bank_id, y.memory_id, y.content, y.memory_type, y."timestamp", y.embedding, y.metadata, y.tags,
       y.importance, y.status
  from memory_api.memory_entry y;
comment on view analytics.memory_entry is
    'S5''s MemoryEntry: every memory in one shape, whatever its type and status. An episode is what happened, a fact what is '
    'true for a time.';
comment on column analytics.memory_entry.bank_id is 'The bank that holds it: S5''s user_id.';
comment on column analytics.memory_entry.memory_id is 'Its id, unique over all types.';
comment on column analytics.memory_entry.content is 'The summary of an episode; the text of a fact.';
comment on column analytics.memory_entry.memory_type is 'episodic or semantic.';
comment on column analytics.memory_entry.timestamp is 'When an episode happened; when a fact was last confirmed.';
comment on column analytics.memory_entry.embedding is
    'Its unit vector by the bank''s present embedding model, of the first part of a long text; null where there is none.';
comment on column analytics.memory_entry.metadata is 'What whoever sent it attached to it.';
comment on column analytics.memory_entry.tags is 'Labels given to it.';
comment on column analytics.memory_entry.importance is 'As stored, 0 to 1; of a fact the largest of its evidence.';
comment on column analytics.memory_entry.status is
    'Of an episode: pending_embedding, active, archived, deprecated, merged_into, quarantined or failed. Of a fact: '
    'tentative, stable, deprecated or merged_into.';

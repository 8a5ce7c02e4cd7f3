-- Sessions without their data.
create or replace view analytics.session with (security_invoker = true) as
select s.bank_id, s.session_id, s.state, s.version, s.bytes, c.checkpoints, c.named_checkpoints, c.last_checkpoint_at,
       s.lineage, s.created_at, s.updated_at
  from memory.session_memory s
 cross join lateral (
    select count(*) as checkpoints, count(c.name) as named_checkpoints, max(c.created_at) as last_checkpoint_at
      from memory.session_checkpoint c
     where c.bank_id = s.bank_id and c.session_id = s.session_id) as c;
comment on view analytics.session is 'One row per session: the working state of an agent.';
comment on column analytics.session.bank_id is 'The bank.';
comment on column analytics.session.session_id is 'Id of the session.';
comment on column analytics.session.state is 'Name of its present state.';
comment on column analytics.session.version is 'Number of its changes, plus 1.';
comment on column analytics.session.bytes is 'Length of its data as JSON text.';
comment on column analytics.session.checkpoints is 'Number of its checkpoints.';
comment on column analytics.session.named_checkpoints is 'Number of those with a name, which are kept until they are deleted.';
comment on column analytics.session.last_checkpoint_at is 'When the newest checkpoint was created; null without one.';
comment on column analytics.session.lineage is 'The same for sessions that were forked from one another; they share stored data.';
comment on column analytics.session.created_at is 'When it was created.';
comment on column analytics.session.updated_at is 'When it was last changed.';

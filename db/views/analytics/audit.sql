-- Administrative acts. Under row security a login sees those on its bank; acts on API keys and embedding models are
-- seen by the owner only.
create or replace view analytics.audit with (security_invoker = true) as
select a.at, a.action, a.actor, a.key_id, a.login, a.bank_ids[1] as bank_id, a.subjects, a.details, a.audit_id
  from memory.audit_event a;
comment on view analytics.audit is 'One row per administrative act: on banks, memories, sessions, dead letters, API keys, analysts, servers, models.';
comment on column analytics.audit.at is 'When.';
comment on column analytics.audit.action is
    'analyst_granted, analyst_revoked, bank_created, bank_changed, bank_imported, bank_moved, server_added, '
    'memory_released, norm_removed, thread_ended, session_deleted, erased, work_redriven, key_created, key_limited, '
    'key_rotated, key_revoked, thresholds_set, reembedding_started or embedding_model_switched.';
comment on column analytics.audit.actor is 'Person or agent named with the act, else the key, else operator.';
comment on column analytics.audit.key_id is 'API key of the request; null without one.';
comment on column analytics.audit.login is 'Role that was logged in.';
comment on column analytics.audit.bank_id is 'The bank; null for acts on keys and thresholds.';
comment on column analytics.audit.subjects is 'Ids of the memories or keys; of a grant to an analyst the role and the banks.';
comment on column analytics.audit.details is 'Figures and names, such as the changed settings without their values.';
comment on column analytics.audit.audit_id is 'Id of the row, ascending.';

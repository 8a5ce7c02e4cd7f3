-- Inserts an administrative act, in the transaction of the act. `bank` is null for acts on the installation. Runs as
-- the owner: the service role can add rows, not change or delete them.
create or replace function memory_internal.record_audit(
    action text, actor text, key text, bank text, subjects text[], details jsonb, at timestamptz)
returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into memory.audit_event (at, action, actor, key_id, bank_ids, subjects, details)
    values (record_audit.at, record_audit.action, record_audit.actor, record_audit.key,
            array_remove(array[record_audit.bank], null), record_audit.subjects, record_audit.details);
$$;

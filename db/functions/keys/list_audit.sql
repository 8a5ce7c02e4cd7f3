-- Returns one page of the administrative acts, newest first; by time, because each server numbers its own. Called by
-- the page of the audit. Runs as the owner: the service role cannot read the table.
create or replace function memory_api.list_audit(
    page integer, before_at timestamptz default null, before_id bigint default null)
returns table (audit_id bigint, at timestamptz, action text, actor text, key_id text, bank_ids text[], subjects text[],
               details jsonb)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select a.audit_id, a.at, a.action, a.actor, a.key_id, a.bank_ids, a.subjects, a.details
      from memory.audit_event a
     where list_audit.before_at is null or (a.at, a.audit_id) < (list_audit.before_at, list_audit.before_id)
     order by a.at desc, a.audit_id desc
     limit list_audit.page;
$$;

-- Returns one page of the events of a bank in the order of their transactions, after the given place. An event is
-- returned once no transaction that began before its own is in progress: none can appear before it later. Raises
-- ME016 for a place of another cluster (migrate.py), whose transactions have other ids.
create or replace function memory_api.list_changes(
    bank text, page integer, after_cluster text default null, after_xid bigint default 0, after_id bigint default 0)
returns table (cluster text, xid bigint, change_id bigint, memory_id uuid, type text, event text, from_status text,
               to_status text, reason text, actor text, at timestamptz, fields text[], replaced_by uuid)
language plpgsql as $$
declare
    this_cluster constant text := (select i.cluster from memory.installation i);
begin
    perform memory_internal.require_bank(bank);
    if after_cluster <> this_cluster then
        raise exception using errcode = 'ME016', message = this_cluster;
    end if;
    return query
        select this_cluster, e.xid, e.event_id, e.memory_id, e.memory_type, e.event, e.from_status,
               e.to_status, e.reason, e.actor, e.at,
               array(select jsonb_array_elements_text(coalesce(e.detail -> 'fields', '[]'))),
               (e.detail ->> 'replaced_by')::uuid
          from memory.memory_event e
         where e.bank_id = bank and e.xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
           and (e.xid, e.event_id) > (after_xid, after_id)
         order by e.xid, e.event_id
         limit page;
end $$;

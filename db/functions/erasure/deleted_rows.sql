-- Returns by table of schema memory how many rows this transaction deleted so far beyond those of `before`, an earlier
-- result, by the server's own counters, so that no table can be forgotten; raises ME063 where the server does not
-- count. Partitions count as their table. A session may not have reported former transactions yet: callers pass the
-- result of a first call.
create or replace function memory_internal.deleted_rows(before jsonb default '{}') returns jsonb
language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
begin
    if current_setting('track_counts') = 'off' then
        raise exception using errcode = 'ME063', message = 'track_counts is off: deleted rows cannot be counted';
    end if;
    return (
        select coalesce(jsonb_object_agg(c.name, c.deleted), '{}')
          from (select c.relname::text as name,
                       sum(s.n_tup_del)::bigint - coalesce((before ->> c.relname::text)::bigint, 0) as deleted
                  from pg_stat_xact_user_tables s
                  join pg_class c on c.oid = coalesce(pg_partition_root(s.relid), s.relid)
                 where s.schemaname = 'memory'
                 group by c.relname) as c
         where c.deleted > 0);
end $$;

-- Returns the rows of each table of schema memory that this transaction deleted so far, by the server's own counters, so
-- that no table can be forgotten. Partitions count as their table. A session may not have reported former transactions
-- yet: callers take the difference of two calls.
create or replace function memory_internal.table_changes() returns table (name text, deleted bigint)
language sql volatile set search_path = pg_catalog, pg_temp as $$
    select c.relname::text, sum(s.n_tup_del)::bigint
      from pg_stat_xact_user_tables s
      join pg_class c on c.oid = coalesce(pg_partition_root(s.relid), s.relid)
     where s.schemaname = 'memory'
     group by c.relname;
$$;

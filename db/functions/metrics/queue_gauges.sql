-- Returns for each kind of work of all banks: items, the age of the oldest one in seconds, dead letters. Kinds without
-- rows are left out. Scans the queue; called at most once a second by a server process.
create or replace function memory_api.queue_gauges(at timestamptz default now())
returns table (kind text, depth bigint, oldest_seconds double precision, dead bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select w.kind,
           count(*) filter (where w.dead_at is null),
           coalesce(extract(epoch from queue_gauges.at - min(w.enqueued_at) filter (where w.dead_at is null)), 0),
           count(*) filter (where w.dead_at is not null)
      from memory.work w
     group by w.kind;
$$;

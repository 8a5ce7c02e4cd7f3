-- Returns the counters and histograms of all processes, as far as they have written them.
create or replace function memory_api.read_metrics()
returns table (name text, labels text[], amounts double precision[])
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select m.name, m.labels, m.amounts from memory.metric m order by m.name, m.labels;
$$;

-- Adds to counters and histograms: an array of {name, labels, amounts}. Called by each process every few seconds.
-- Locks the rows in the order of name and labels, so that two processes do not deadlock. A histogram that another
-- release wrote with other buckets begins at 0.
create or replace function memory_api.add_metrics(deltas jsonb) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into memory.metric as m (name, labels, amounts)
    select d.name, d.labels, d.amounts
      from jsonb_to_recordset(deltas) as d (name text, labels text[], amounts double precision[])
     order by d.name collate "C", d.labels
    on conflict on constraint metric_pkey do update
       set amounts = case when cardinality(m.amounts) = cardinality(excluded.amounts)
                          then array(select a.before + a.added
                                       from unnest(m.amounts, excluded.amounts)
                                            with ordinality as a (before, added, place)
                                      order by a.place)
                          else excluded.amounts end;
$$;

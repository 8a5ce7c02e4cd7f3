-- Returns for how many seconds the longest waiting intake item of all banks has been due. Leased items, and those
-- released until a later time (a retry, a bank above its daily token limit), are not due. Called at most once a second
-- by a server process. One probe of work_newest_idx for each combination. Runs as the owner: the queue spans banks.
create or replace function memory_api.intake_delay(at timestamptz default now()) returns double precision
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select coalesce(extract(epoch from intake_delay.at - min(oldest.not_before)), 0)
      from unnest(array['segment', 'extract', 'annotate', 'embed']) as k (kind)
     cross join unnest(array[0, 1]) as l (lane)
     cross join unnest(array[false, true]) as a (alone)
     cross join lateral (
        select w.not_before
          from memory.work w
         where w.kind = k.kind and w.lane = l.lane and w.alone = a.alone and w.dead_at is null
           and w.not_before <= intake_delay.at
         order by w.not_before
         limit 1) as oldest;
$$;

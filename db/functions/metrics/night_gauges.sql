-- Returns for each pass of the nightly run: the end of its last run in which no bank failed, as Unix time, and the
-- duration of its latest run over all batches of banks. Reads the runs of the last 40 days.
create or replace function memory_api.night_gauges(at timestamptz default now())
returns table (pass text, last_success double precision, seconds double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    with night as (
        select j.pass, j.night_id, min(j.started_at) as started_at, max(j.ended_at) as ended_at, sum(j.seconds) as seconds,
               bool_and(j.outcome = 'done' and j.failed = 0) as succeeded
          from memory.job_run j
         where j.started_at > night_gauges.at - interval '40 days'
         group by j.pass, j.night_id
    )
    select n.pass,
           extract(epoch from max(n.ended_at) filter (where n.succeeded)),
           (array_agg(n.seconds order by n.started_at desc))[1]
      from night n
     group by n.pass;
$$;

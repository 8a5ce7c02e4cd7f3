-- Returns the latest runs of the nightly jobs, newest first, one row for each pass of a night, summed over its batches
-- of banks: `errors` are the distinct reasons of failures. A page holds whole nights. Called by the page of the nights.
create or replace function memory_api.list_nights(page integer, before_at timestamptz default null)
returns table (night_id uuid, started_at timestamptz, pass text, ended_at timestamptz, seconds double precision,
               banks bigint, failed bigint, counts jsonb, model_calls bigint, tokens bigint, errors text[])
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    with night as (
        select j.night_id, min(j.started_at) as started_at
          from memory.job_run j
         group by j.night_id
        having before_at is null or min(j.started_at) < before_at
         order by min(j.started_at) desc
         limit page
    )
    select n.night_id, n.started_at, j.pass, max(j.ended_at), sum(j.seconds), sum(cardinality(j.bank_ids))::bigint,
           sum(j.failed)::bigint,
           coalesce(
               (select jsonb_object_agg(s.name, s.total)
                  from (select c.key as name, sum(c.value::numeric) as total
                          from memory.job_run r, jsonb_each_text(r.counts) as c
                         where r.night_id = n.night_id and r.pass = j.pass
                         group by c.key) as s
                 where s.total <> 0),
               '{}'),
           sum(j.model_calls)::bigint, sum(j.tokens)::bigint,
           array_remove(array_agg(distinct j.error), null)
      from night n
      join memory.job_run j on j.night_id = n.night_id
     group by n.night_id, n.started_at, j.pass
     order by n.started_at desc, n.night_id, min(j.started_at), j.pass;
$$;

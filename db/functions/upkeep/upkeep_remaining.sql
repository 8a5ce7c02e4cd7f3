-- What a run that found nothing to claim leaves behind: how many banks are due and free, how many somebody else is at, how
-- many rest after a failure; how long, in seconds, until the first of those leases ends; and the database's clock.
create or replace function memory_api.upkeep_remaining(
    since timestamptz default null, at timestamptz default now(),
    out free integer, out held integer, out resting integer, out held_seconds double precision, out clock timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select count(*) filter (where u.not_before <= now()),
           count(*) filter (where u.not_before > now() and u.lease_token is not null),
           count(*) filter (where u.not_before > now() and u.lease_token is null),
           extract(epoch from min(u.not_before) filter (where u.not_before > now() and u.lease_token is not null) - now()),
           now()
      from memory.upkeep u
     where u.due_at <= at and (u.ran_at is null or u.ran_at < coalesce(since, 'infinity'));
$$;

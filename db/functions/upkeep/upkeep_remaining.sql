-- Returns, for a run that claimed nothing: the number of due banks that are free, leased (`held`) and delayed after
-- a failure (`resting`), the seconds until the first lease ends, and the database's clock.
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

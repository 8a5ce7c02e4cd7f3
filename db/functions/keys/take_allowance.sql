-- Takes from a key's token bucket, which holds one minute's units and is refilled evenly. Returns the units granted:
-- between `cost` and `wanted` (a process takes some in advance, see server/rate_limits.py), or 0 with the seconds until
-- `cost` is available. A cost above the whole bucket is granted when the bucket is full, and leaves it below zero.
-- `remaining` is what the bucket then holds. Runs as the owner: the service role has no rights on keys.
create or replace function memory_api.take_allowance(
    key_id text, resource text, per_minute integer, cost double precision, wanted double precision,
    at timestamptz default null,
    out granted double precision, out remaining double precision, out retry_after double precision)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    bucket memory.rate_limit;
    taken_at timestamptz;
begin
    insert into memory.rate_limit as r (key_id, resource, available, refilled_at)
    values (take_allowance.key_id, take_allowance.resource, per_minute, coalesce(at, clock_timestamp()))
    on conflict on constraint rate_limit_pkey do nothing;
    select r.* into bucket
      from memory.rate_limit r
     where r.key_id = take_allowance.key_id and r.resource = take_allowance.resource
       for update;
    -- After the lock: another process may have refilled the bucket meanwhile.
    taken_at := greatest(coalesce(at, clock_timestamp()), bucket.refilled_at);
    bucket.available := least(
        per_minute, bucket.available + extract(epoch from taken_at - bucket.refilled_at) * per_minute / 60);
    if bucket.available >= least(cost, per_minute) then
        granted := greatest(cost, least(wanted, floor(bucket.available)));
        retry_after := 0;
    else
        granted := 0;
        retry_after := (least(cost, per_minute) - bucket.available) * 60 / per_minute;
    end if;
    remaining := bucket.available - granted;
    update memory.rate_limit r
       set available = take_allowance.remaining, refilled_at = taken_at
     where r.key_id = take_allowance.key_id and r.resource = take_allowance.resource;
end $$;

-- Returns depth, age of the oldest row in seconds and number of dead letters of one bank's queue, or of all banks
-- where `bank` is null. Runs as the owner. Two branches, of which one runs: a single predicate with `or` scanned the
-- whole queue for a bank without rows.
create or replace function memory_api.queue_stats(bank text default null, at timestamptz default now()) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select jsonb_build_object(
        'depth', count(*) filter (where w.dead_at is null),
        'oldest_seconds', coalesce(
            round(extract(epoch from at - min(w.enqueued_at) filter (where w.dead_at is null))::numeric, 3), 0),
        'dead', count(*) filter (where w.dead_at is not null))
      from (select o.dead_at, o.enqueued_at from memory.work o where o.bank_id = bank
            union all
            select a.dead_at, a.enqueued_at from memory.work a where bank is null) as w;
$$;

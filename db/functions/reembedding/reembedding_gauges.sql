-- Returns over all banks: those that are being copied to another model, how many of these were compared and not
-- switched, the time since the earliest began, and those whose former model is kept longer than its time, with the
-- longest excess. Called by the command `doctor`. Runs as the owner, because row security limits a transaction to one
-- bank.
create or replace function memory_api.reembedding_gauges(
    at timestamptz default now(), out copying bigint, out compared bigint, out oldest_seconds double precision,
    out overdue bigint, out overdue_seconds double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select count(*) filter (where r.status = 'copying'),
           count(*) filter (where r.status = 'copying' and r.verified is not null),
           coalesce(extract(epoch from reembedding_gauges.at - min(r.requested_at) filter (where r.status = 'copying')), 0),
           count(*) filter (where r.keep_until < reembedding_gauges.at),
           greatest(0, coalesce(extract(epoch from reembedding_gauges.at - min(r.keep_until)), 0))
      from memory.reembedding r;
$$;

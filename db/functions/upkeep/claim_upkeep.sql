-- Claims up to `batch` banks that are due at `at`, the time of the nightly run; leases and delays after failures use
-- the database's clock. They are returned in the order in which they are due; banks that failed before come last. A run
-- claims a bank once: a bank that changed while it was processed, after `since`, is due in the next nightly run.
-- `named` claims only this bank, whether due, delayed or not; not one that is parked by a move, as it is read-only. The
-- caller commits at once: a claim is a lease, not a lock. Runs as the owner: upkeep spans banks and has no row
-- security.
create or replace function memory_api.claim_upkeep(
    batch integer, lease interval, since timestamptz, named text default null, at timestamptz default now())
returns table (bank_id text, lease_token uuid, attempts integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off as $$
declare
    claimed text[];
begin
    if named is not null then
        claimed := array(
            select u.bank_id
              from memory.upkeep u
             where u.bank_id = named and u.not_before < 'infinity'
               and (u.lease_token is null or u.not_before <= now())
               for update skip locked);
    else
        for failed_before in 0..1 loop
            claimed := array(
                select u.bank_id
                  from memory.upkeep u
                 where u.due_at <= at and u.not_before <= now() and (u.attempts > 0) = (failed_before = 1)
                   and (u.ran_at is null or u.ran_at < since)
                 order by u.due_at, u.bank_id
                 limit batch
                   for update skip locked);
            exit when cardinality(claimed) > 0;
        end loop;
    end if;
    return query
        with leased as (
            update memory.upkeep u
               set lease_token = gen_random_uuid(), claimed_generation = u.generation, not_before = now() + lease
             where u.bank_id = any (claimed)
            returning u.bank_id, u.lease_token, u.attempts)
        select l.bank_id, l.lease_token, l.attempts from leased l order by array_position(claimed, l.bank_id);
end $$;

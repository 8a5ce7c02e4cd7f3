-- Ends leases without counting the attempt, for banks that a run had no time for or at which it was stopped.
-- `attempts` are the values at the claim. Returns the number of banks. Locks rows in the order of their ids.
create or replace function memory_api.release_upkeep(banks text[], tokens uuid[], attempts integer[])
returns integer
language sql security definer set search_path = pg_catalog, pg_temp as $$
    with locked as materialized (
        select u.bank_id, lease.attempts
          from memory.upkeep u
          join unnest(banks, tokens, release_upkeep.attempts) as lease (bank_id, token, attempts)
            on u.bank_id = lease.bank_id collate "C" and u.lease_token = lease.token
         order by u.bank_id
           for update of u
    ),
    released as (
        update memory.upkeep u
           set lease_token = null, claimed_generation = null, not_before = '-infinity', attempts = locked.attempts
          from locked
         where u.bank_id = locked.bank_id
        returning 1
    )
    select count(*)::integer from released;
$$;

-- Extends the leases whose token still matches and returns their banks. Locks rows in the order of their ids.
create or replace function memory_api.renew_upkeep(banks text[], tokens uuid[], lease interval)
returns setof text
language sql security definer set search_path = pg_catalog, pg_temp as $$
    with locked as materialized (
        select u.bank_id
          from memory.upkeep u
          join unnest(banks, tokens) as held_lease (bank_id, token)
            on u.bank_id = held_lease.bank_id collate "C" and u.lease_token = held_lease.token
         order by u.bank_id
           for update of u
    )
    update memory.upkeep u
       set not_before = now() + lease
      from locked
     where u.bank_id = locked.bank_id
    returning u.bank_id;
$$;

-- Sets when keys were last used. Processes write their uses in batches; an earlier time does not replace a later one.
create or replace function memory_api.record_key_uses(key_ids text[], used_at timestamptz[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    with used as (
        select u.key_id, max(u.at) as at
          from unnest(key_ids, used_at) as u (key_id, at)
         group by u.key_id
    ),
    -- Locked in one order, so that two processes that write the same keys do not deadlock.
    locked as (
        select k.key_id, used.at
          from memory.api_key k
          join used on used.key_id = k.key_id
         where k.last_used_at is null or k.last_used_at < used.at
         order by k.key_id
           for update of k
    )
    update memory.api_key k
       set last_used_at = locked.at
      from locked
     where k.key_id = locked.key_id;
$$;

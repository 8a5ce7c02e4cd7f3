-- The banks that have dead letters, for going through them one by one (one bank per transaction, promise 8).
create or replace function memory_api.list_dead_banks() returns table (bank_id text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select distinct w.bank_id from memory.work w where w.dead_at is not null order by w.bank_id;
$$;

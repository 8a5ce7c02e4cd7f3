-- Returns the banks that have dead letters. Callers process them one by one, because a transaction may enter one
-- bank only. Runs as the owner.
create or replace function memory_api.list_dead_banks() returns table (bank_id text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select distinct w.bank_id from memory.work w where w.dead_at is not null order by w.bank_id;
$$;

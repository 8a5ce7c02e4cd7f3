-- Returns the server that a bank of this name is created on. Raises ME080 while slots are given to another server,
-- which takes the same lock (memory_service.placement.registry): the caller tries again. Called on the home server in
-- the transaction that creates a bank there, or while one is open on another server that does.
-- Locks: server_map_lock_key, shared, without waiting.
create or replace function memory_api.lock_place(bank text) returns text
language plpgsql as $$
begin
    if not pg_try_advisory_xact_lock_shared(memory_internal.server_map_lock_key()) then
        raise exception using errcode = 'ME080', message = format('the server of %L is being changed', bank);
    end if;
    return memory_internal.server_of(bank);
end $$;

-- The key of the advisory lock on the assignment of slots to servers.
create or replace function memory_internal.server_map_lock_key() returns bigint
language sql immutable as $$
    select hashtextextended('memory.server_map', 0);
$$;

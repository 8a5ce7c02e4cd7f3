-- The version of the map of servers. Runs as the owner.
create or replace function memory_api.server_map_version() returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select m.version from memory.server_map m;
$$;

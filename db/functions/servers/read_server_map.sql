-- The map of servers: all servers but this one, the slots and banks that are not here. Runs as the owner: a process
-- routes calls about all banks.
create or replace function memory_api.read_server_map(
    out version bigint, out servers jsonb, out slots jsonb, out places jsonb)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select m.version,
           (select coalesce(jsonb_object_agg(s.server_id, jsonb_build_object(
                       'url', s.url, 'direct_url', s.direct_url, 'read_url', s.read_url)), '{}')
              from memory.server s where s.url is not null),
           (select coalesce(jsonb_object_agg(l.slot, l.server_id), '{}') from memory.server_slot l),
           (select coalesce(jsonb_object_agg(p.bank, p.server_id), '{}') from memory.bank_place p)
      from memory.server_map m;
$$;

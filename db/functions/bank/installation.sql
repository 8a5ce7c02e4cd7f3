-- Returns the row of memory.installation and the session's login, with `unrestricted` true where that role bypasses
-- row security, and the version of the map of servers. The service checks them at startup and every two seconds.
create or replace function memory_api.installation(
    out api_version integer, out release text, out digest text, out login text, out unrestricted boolean,
    out map_version bigint)
language sql stable as $$
    select i.api_version, i.release, i.digest, session_user::text,
           (select r.rolsuper or r.rolbypassrls or pg_has_role(session_user, 'memory_owner', 'usage')
              from pg_catalog.pg_roles r
             where r.rolname = session_user),
           memory_api.server_map_version()
      from memory.installation i;
$$;

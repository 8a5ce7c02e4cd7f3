-- What the service checks when it starts: the API version of this database, and who it is logged in as.
create or replace function memory_api.installation(
    out api_version integer, out release text, out digest text, out login text, out unrestricted boolean)
language sql stable as $$
    select i.api_version, i.release, i.digest, session_user::text,
           (select r.rolsuper or r.rolbypassrls or pg_has_role(session_user, 'memory_owner', 'usage') from pg_catalog.pg_roles r where r.rolname = session_user)
      from memory.installation i;
$$;

-- Returns whether an API key was ever created, also one that is revoked by now. From then on the service refuses
-- requests without a key.
create or replace function memory_api.any_key_exists() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select exists (select from memory.api_key);
$$;

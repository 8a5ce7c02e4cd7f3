-- Revokes an API key; revoking it again keeps the first time and actor. Returns that time, null for an unknown key. Every
-- process refuses the key as soon as its cache entry expires (server/authentication.py).
create or replace function memory_api.revoke_key(key_id text, actor text, at timestamptz default now())
returns timestamptz
language sql security definer set search_path = pg_catalog, pg_temp as $$
    update memory.api_key k
       set revoked_at = coalesce(k.revoked_at, at),
           revoked_by = coalesce(k.revoked_by, actor)
     where k.key_id = revoke_key.key_id
    returning k.revoked_at;
$$;

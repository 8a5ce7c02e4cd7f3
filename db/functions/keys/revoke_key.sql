-- Revokes an API key; revoking it again keeps the first time and actor. Returns that time, null for an unknown key.
-- Every process refuses the key as soon as its cache entry expires (server/authentication.py).
create or replace function memory_api.revoke_key(key_id text, actor text, at timestamptz default now())
returns timestamptz
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    update memory.api_key k
       set revoked_at = at, revoked_by = actor
     where k.key_id = revoke_key.key_id and k.revoked_at is null;
    if found then
        perform memory_internal.record_audit('key_revoked', actor, null, null, array[revoke_key.key_id], '{}', at);
    end if;
    return (select k.revoked_at from memory.api_key k where k.key_id = revoke_key.key_id);
end $$;

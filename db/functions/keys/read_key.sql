-- Returns an API key with its hash, or no row. Called for each request whose key is not cached.
create or replace function memory_api.read_key(key_id text)
returns table (hash bytea, role text, banks text[], may_erase boolean, agent_id text, expires_at timestamptz,
               revoked_at timestamptz, requests_per_minute integer, messages_per_minute integer,
               model_tokens_per_minute integer, token_public_key bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select k.hash, k.role, k.banks, k.may_erase, k.agent_id, k.expires_at, k.revoked_at,
           k.requests_per_minute, k.messages_per_minute, k.model_tokens_per_minute, k.token_public_key
      from memory.api_key k
     where k.key_id = read_key.key_id;
$$;

-- Returns all API keys without their hashes, the newest first. Called by the command `key list`.
create or replace function memory_api.list_keys()
returns table (key_id text, role text, banks text[], may_erase boolean, agent_id text, note text,
               created_at timestamptz, created_by text, expires_at timestamptz, revoked_at timestamptz, revoked_by text,
               rotated_from text, last_used_at timestamptz, requests_per_minute integer,
               messages_per_minute integer, model_tokens_per_minute integer)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select k.key_id, k.role, k.banks, k.may_erase, k.agent_id, k.note, k.created_at, k.created_by, k.expires_at,
           k.revoked_at, k.revoked_by, k.rotated_from, k.last_used_at, k.requests_per_minute, k.messages_per_minute,
           k.model_tokens_per_minute
      from memory.api_key k
     order by k.created_at desc, k.key_id;
$$;

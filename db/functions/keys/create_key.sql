-- Inserts an API key. Called by the command `key create`. The service role has no rights on memory.api_key, so the
-- functions of this folder run as the owner.
create or replace function memory_api.create_key(
    key_id text, hash bytea, role text, banks text[], may_erase boolean, agent text, note text,
    expires_at timestamptz, actor text, at timestamptz default now(),
    requests_per_minute integer default null, messages_per_minute integer default null,
    model_tokens_per_minute integer default null, token_public_key bytea default null)
returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into memory.api_key (
        key_id, hash, role, banks, may_erase, agent_id, note, created_at, created_by, expires_at, requests_per_minute,
        messages_per_minute, model_tokens_per_minute, token_public_key)
    values (create_key.key_id, create_key.hash, create_key.role, create_key.banks, create_key.may_erase, agent,
            create_key.note, at, actor, create_key.expires_at, create_key.requests_per_minute,
            create_key.messages_per_minute, create_key.model_tokens_per_minute, create_key.token_public_key);
    select memory_internal.record_audit(
        'key_created', actor, null, null, array[create_key.key_id],
        jsonb_build_object('role', create_key.role, 'banks', create_key.banks), at);
$$;

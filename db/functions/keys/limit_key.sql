-- Sets the rate limits of an API key; null is no limit. Returns whether the key exists. Processes apply them as soon as
-- their cache entry expires (server/authentication.py).
create or replace function memory_api.limit_key(
    key_id text, requests_per_minute integer, messages_per_minute integer, model_tokens_per_minute integer, actor text,
    at timestamptz default now())
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    update memory.api_key k
       set requests_per_minute = limit_key.requests_per_minute,
           messages_per_minute = limit_key.messages_per_minute,
           model_tokens_per_minute = limit_key.model_tokens_per_minute
     where k.key_id = limit_key.key_id;
    if not found then
        return false;
    end if;
    perform memory_internal.record_audit(
        'key_limited', actor, null, null, array[limit_key.key_id],
        jsonb_build_object('requests_per_minute', limit_key.requests_per_minute,
                           'messages_per_minute', limit_key.messages_per_minute,
                           'model_tokens_per_minute', limit_key.model_tokens_per_minute), at);
    return true;
end $$;

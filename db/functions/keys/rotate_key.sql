-- Inserts a key with the rights and limits of an existing one, which expires after `overlap`. Returns when the old one
-- expires; null, and nothing is done, if it is unknown, revoked, expired or was rotated before: its successor is
-- rotated instead. Of concurrent rotations of one key one fails by api_key_rotated_from_key.
create or replace function memory_api.rotate_key(
    key_id text, new_key_id text, hash bytea, overlap interval, actor text, at timestamptz default now(),
    token_public_key bytea default null)
returns timestamptz
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    old memory.api_key;
    old_expires_at timestamptz;
begin
    select k.* into old
      from memory.api_key k
     where k.key_id = rotate_key.key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > at)
       and not exists (select from memory.api_key s where s.rotated_from = k.key_id)
       for update;
    if not found then
        return null;
    end if;
    old_expires_at := least(old.expires_at, at + overlap);
    update memory.api_key k set expires_at = old_expires_at where k.key_id = old.key_id;
    -- The successor keeps the expiry that the key had before.
    insert into memory.api_key (
        key_id, hash, role, banks, may_erase, agent_id, note, created_at, created_by, expires_at, rotated_from,
        requests_per_minute, messages_per_minute, model_tokens_per_minute, token_public_key)
    values (new_key_id, rotate_key.hash, old.role, old.banks, old.may_erase, old.agent_id, old.note, at, actor,
            old.expires_at, old.key_id, old.requests_per_minute, old.messages_per_minute, old.model_tokens_per_minute,
            rotate_key.token_public_key);
    perform memory_internal.record_audit(
        'key_rotated', actor, null, null, array[old.key_id, new_key_id], '{}', at);
    return old_expires_at;
end $$;

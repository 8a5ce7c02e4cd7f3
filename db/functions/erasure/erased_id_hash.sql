-- The hash of an erased id in memory.erased_item: HMAC-SHA256 of `kind:id` under the secret of this installation. Runs
-- as the owner, who alone reads the secret.
create or replace function memory_internal.erased_id_hash(kind text, id text) returns bytea
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select memory_internal.hmac_sha256(s.secret, convert_to(kind || ':' || id, 'UTF8')) from memory.erasure_secret s;
$$;

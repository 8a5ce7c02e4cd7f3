-- HMAC-SHA256 (RFC 2104) with a key of at most 64 bytes; a longer one is hashed first. Core Postgres has no hmac().
create or replace function memory_internal.hmac_sha256(key bytea, message bytea) returns bytea
language plpgsql immutable strict parallel safe as $$
declare
    block bytea := case when octet_length(key) > 64 then sha256(key) else key end;
    inner_pad bytea := decode(repeat('36', 64), 'hex');
    outer_pad bytea := decode(repeat('5c', 64), 'hex');
begin
    for i in 0 .. octet_length(block) - 1 loop
        inner_pad := set_byte(inner_pad, i, get_byte(block, i) # 54);
        outer_pad := set_byte(outer_pad, i, get_byte(block, i) # 92);
    end loop;
    return sha256(outer_pad || sha256(inner_pad || message));
end $$;

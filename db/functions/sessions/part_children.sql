-- Returns the digests of a part's children.
create or replace function memory_internal.part_children(children bytea)
returns table (digest bytea)
language sql immutable parallel safe as $$
    select substr(children, 1 + 32 * n, 32) from generate_series(0, octet_length(children) / 32 - 1) as n;
$$;

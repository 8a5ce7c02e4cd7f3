-- Returns the fingerprint of a procedure's words, in its situation.
create or replace function memory_internal.procedure_fingerprint(content text, situation text) returns bigint
language sql immutable parallel safe as $$
    select memory_internal.text_fingerprint(concat_ws(E'\n', content, nullif(situation, '')))
$$;

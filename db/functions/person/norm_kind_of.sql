-- Returns the kind of norm that a fact with this attribute may state as well: an instruction, a preference, or null.
create or replace function memory_internal.norm_kind_of(attribute text) returns text
language sql immutable parallel safe as $$
    select case when attribute ~ '(^|_)instruction$' then 'instruction'
                when attribute in ('likes', 'dislikes', 'prefers', 'avoids')
                     or attribute like 'preferred\_%' and attribute <> 'preferred_name' then 'preference' end
$$;

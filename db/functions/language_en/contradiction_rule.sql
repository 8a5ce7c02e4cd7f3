-- Returns the rule by which two texts about one subject cannot both be true, or null (contradiction_rules).
create or replace function memory_internal.contradiction_rule(one text, other text) returns text
language sql immutable parallel safe as $$
    select (memory_internal.contradiction_rules(one, array[other]))[1];
$$;

-- Returns whether the value of a fact with this attribute is the name of a person or an animal of its subject
-- ("user's son is called Finn"). Called by write_statements and known_people.
create or replace function memory_internal.names_someone(attribute text) returns boolean
language sql immutable parallel safe as $$
    select coalesce(attribute in ('child', 'sibling', 'pet', 'friend', 'best_friend') or attribute like '%\_name', false)
$$;

-- Whether a subject in lower case ("user's child finn") has this owner ("user's "), a role of this kind and this name.
create or replace function memory_internal.is_called(subject text, owner text, kind text, name text) returns boolean
language sql immutable parallel safe as $$
    select coalesce(
        left(subject, length(owner)) = owner and right(subject, length(name) + 1) = ' ' || name
        and length(subject) > length(owner) + length(name) + 1
        and memory_internal.kind_of_role(
                substr(subject, length(owner) + 1, length(subject) - length(owner) - length(name) - 1)) = kind, false)
$$;

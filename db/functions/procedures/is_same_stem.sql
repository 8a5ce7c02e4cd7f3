-- Returns whether two stems are of one word: equal, or one begins with the other without its last letter.
create or replace function memory_internal.is_same_stem(one text, other text) returns boolean
language sql immutable parallel safe as $$
    select one = other
        or starts_with(case when length(one) < length(other) then other else one end,
                       left(case when length(one) < length(other) then one else other end,
                            greatest(4, least(length(one), length(other)) - 1)))
           and least(length(one), length(other)) >= 4
$$;

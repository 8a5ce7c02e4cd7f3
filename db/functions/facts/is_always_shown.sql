-- Returns whether a fact is offered to every context, whatever the query: allergies, conditions, medicines, diets,
-- standing instructions, and facts with an importance of at least 0.8 (2 to 6 of 100 in four labelled sets).
create or replace function memory_internal.is_always_shown(attribute text, importance double precision) returns boolean
language sql immutable parallel safe as $$
    select attribute in ('allergic_to', 'intolerant_to', 'has_condition', 'takes_medicine', 'does_not_eat', 'diet',
                         'instruction')
        or split_part(attribute, '_', -1) in ('allergy', 'allergies', 'intolerance', 'intolerances', 'instruction',
                                              'instructions')
        or importance >= 0.8
$$;

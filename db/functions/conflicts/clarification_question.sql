-- Returns the question that is put to the user about two facts that cannot both be true.
create or replace function memory_internal.clarification_question(older text, newer text) returns text
language sql immutable parallel safe as $$
    select format('Earlier I understood: "%s" More recently: "%s" Which of the two is right now?', older, newer);
$$;

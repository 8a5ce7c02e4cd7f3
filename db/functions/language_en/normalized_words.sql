-- Returns a text in lower case, reduced to words and question marks separated by one space: equal for texts that
-- differ only in punctuation and case (find_duplicate).
create or replace function memory_internal.normalized_words(content text) returns text
language sql immutable parallel safe as $$
    select btrim(regexp_replace(lower(content), '[^[:alnum:]?]+', ' ', 'g'));
$$;

-- A text in lower case with its words and question marks alone, one space between them: what differs only in punctuation and
-- capitals has the same (memory_internal.find_duplicate).
create or replace function memory_internal.normalized_words(content text) returns text
language sql immutable parallel safe as $$
    select btrim(regexp_replace(lower(content), '[^[:alnum:]?]+', ' ', 'g'));
$$;

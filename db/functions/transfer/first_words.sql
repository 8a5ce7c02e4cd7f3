-- Returns the message of an episode that its content is taken from, as JSON: the first one of the user, else the first;
-- null for commits and summaries, which have none. Inlined.
create or replace function memory_internal.first_words(full_text jsonb) returns jsonb
language sql immutable parallel safe as $$
    select coalesce(jsonb_path_query_first(full_text, '$.messages[*] ? (@.role == "user")'), full_text #> '{messages,0}')
$$;

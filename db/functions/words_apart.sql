-- What a text states that similarity does not see, taken apart for memory_api.mismatch: its numbers (number words
-- count as numbers), whether it negates, and its capitalized words. `lowered` are all words in lower case, `small`
-- those written small.
create or replace function memory_api.words_apart(
    content text, out numbers text[], out negated boolean, out capitals text[], out lowered text[], out small text[])
language sql immutable parallel safe as $$
    with words as (
        select replace(m[1], '’', '''') as word
          from regexp_matches(content, '([[:alpha:]][[:alpha:]''’]*|[0-9]+(?:[.,:/][0-9]+)*)', 'g') as m
    )
    select coalesce(array_agg(distinct coalesce((array_position(array[
               'zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven',
               'twelve'], lower(w.word)) - 1)::text, w.word))
               filter (where w.word ~ '^[0-9]' or lower(w.word) in (
               'zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven',
               'twelve')), '{}'),
           coalesce(bool_or(lower(w.word) in (
               'not', 'no', 'never', 'nobody', 'nothing', 'none', 'neither', 'nor', 'without', 'cannot', 'cant',
               'dont', 'stopped', 'quit') or lower(w.word) like '%n''t'), false),
           coalesce(array_agg(distinct lower(w.word)) filter (where w.word ~ '^[[:upper:]]'), '{}'),
           coalesce(array_agg(distinct lower(w.word)), '{}'),
           coalesce(array_agg(distinct w.word) filter (where w.word ~ '^[[:lower:]]'), '{}')
      from words w;
$$;

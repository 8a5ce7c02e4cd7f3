-- Returns the content words of `texts` of parse_statement, in order: without numbers, negations, persons, directions,
-- and words that only state existence, absence or end.
create or replace function memory_internal.content_words(texts text[]) returns text[]
language sql immutable parallel safe as $$
    select array(
        select word
          from unnest(texts) with ordinality as s (word, nth)
         where word !~ '^[0-9]|:'
           and word <> all ('{not,nobodi,noth,non,quit,someon,somebodi,someth,anyon,anybodi,anyth,everyon,everybodi,
                              everyth,person,peopl}')
         order by nth);
$$;

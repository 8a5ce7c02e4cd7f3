-- The content words of what memory_internal.parse_statement calls `said`, in their order: without numbers, negations, persons,
-- directions, and words that only say that there is somebody, nobody or an end of it.
create or replace function memory_internal.content_words(said text[]) returns text[]
language sql immutable parallel safe as $$
    select array(
        select word
          from unnest(said) with ordinality as s (word, nth)
         where word !~ '^[0-9]|:'
           and word <> all ('{not,nobodi,noth,non,quit,someon,somebodi,someth,anyon,anybodi,anyth,everyon,everybodi,
                              everyth,person,peopl}')
         order by nth);
$$;

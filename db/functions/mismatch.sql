-- Why two texts of high similarity do not say the same: 'numbers', 'negation', 'names' (dates among them: months and
-- weekdays are capitalized) or 'days'; null where nothing speaks against it. A capitalized word is no name where the
-- other text writes it small, so the beginning of a sentence makes none. Precision first: a doubt is a mismatch.
create or replace function memory_api.mismatch(one text, other text) returns text
language sql immutable parallel safe as $$
    select case
        when not (a.numbers @> b.numbers and b.numbers @> a.numbers) then 'numbers'
        when a.negated <> b.negated then 'negation'
        when exists (
            select from unnest(a.capitals) as name
             where name <> all (b.lowered) and name <> all (filler.words)
            union all
            select from unnest(b.capitals) as name
             where name <> all (a.lowered) and name <> all (filler.words))
        then 'names'
        when exists (
            select from unnest(days.words) as day
             where (day = any (a.lowered)) <> (day = any (b.lowered)))
        then 'days'
    end
      from memory_api.words_apart(one) as a,
           memory_api.words_apart(other) as b,
           (select array['i', 'the', 'a', 'an', 'my', 'our', 'his', 'her', 'their', 'he', 'she', 'we', 'they', 'it',
                         'this', 'that', 'these', 'those', 'what', 'how', 'why', 'who', 'when', 'where', 'which', 'is',
                         'are', 'do', 'does', 'did', 'can', 'will', 'would', 'should', 'if', 'in', 'on', 'at', 'for',
                         'and', 'but', 'so', 'to', 'there', 'you', 'your', 'please', 'i''m', 'i''ve', 'i''ll', 'i''d',
                         'we''re', 'it''s', 'he''s', 'she''s', 'they''re', 'user']) as filler (words),
           (select array['yesterday', 'today', 'tomorrow', 'tonight', 'morning', 'evening', 'last', 'next', 'ago',
                         'before', 'after', 'every']) as days (words);
$$;

-- Why two texts of high similarity do not say the same; null where nothing speaks against it. Precision first: a doubt
-- is a mismatch, because a wrong merge hides a memory and a missed one costs a row. Texts say the same when they have
-- the same numbers ('numbers'), negate alike ('negation'), use the same content words save endings and a few synonyms
-- ('days', 'names' where the odd word is capitalized, else 'words'), speak of the same persons, times and directions
-- ('senses'), in the same order but for one phrase ('order'). 'words' says no more than that: who asks whether texts
-- speak against each other lets it pass. Dear (0.2 ms), and said so, so that the planner asks everything else first.
create or replace function memory_api.text_difference(one text, other text) returns text
language sql immutable parallel safe cost 5000 as $$
    select case
        when not (a.numbers @> b.numbers and b.numbers @> a.numbers) then 'numbers'
        when a.negated <> b.negated then 'negation'
        when odd.words && array['yesterdai', 'todai', 'tomorrow', 'tonight', 'morn', 'even', 'last', 'next', 'ago',
                                'befor', 'after', 'everi'] then 'days'
        when odd.words && (a.named || b.named) then 'names'
        when odd.words <> '{}' or a.said = '{}' and one <> other then 'words'
        when exists (
            select from (select split_part(sense, ':', 1) as kind from unnest(a.senses) as sense
                          where sense <> all (b.senses)) as here
              join (select split_part(sense, ':', 1) as kind from unnest(b.senses) as sense
                     where sense <> all (a.senses)) as there using (kind))
        then 'senses'
        when cardinality(a.said) = cardinality(b.said) and (
            -- Between what begins and what ends alike, one phrase may have moved past the other and nothing else.
            select position(concat(' ', array_to_string(b.said[min(place):max(place)], ' '), ' ')
                            in concat(' ', array_to_string(a.said[min(place):max(place)] || a.said[min(place):max(place)],
                                                           ' '), ' ')) = 0
              from unnest(a.said, b.said) with ordinality as said (here, there, place)
             where here <> there)
        then 'order'
    end
      from memory_internal.parse_statement(one) as a,
           memory_internal.parse_statement(other) as b,
           lateral (select array(select unnest(a.words) except select unnest(b.words))
                        || array(select unnest(b.words) except select unnest(a.words)) as words) as odd;
$$;

-- Returns why two similar texts differ in meaning, or null if nothing indicates a difference. Prefers precision:
-- doubt counts as a difference, because a wrong merge hides a memory and a missed one costs a row. Null requires the
-- same numbers (else 'numbers'), the same negation ('negation'), the same content words except for endings and some
-- synonyms ('days'; 'names' if the differing word is capitalized; else 'words'), the same persons, times and
-- directions ('senses'), and the same order except for one moved phrase ('order'). 'words' indicates a difference,
-- not a contradiction. Costs 0.2 ms; the declared cost makes the planner evaluate other conditions first.
create or replace function memory_api.text_difference(one text, other text) returns text
language sql immutable parallel safe cost 5000 as $$
    select case
        when not (a.numbers @> b.numbers and b.numbers @> a.numbers) then 'numbers'
        when a.negated <> b.negated then 'negation'
        when differing.words && array['yesterdai', 'todai', 'tomorrow', 'tonight', 'morn', 'even', 'last', 'next', 'ago',
                                'befor', 'after', 'everi'] then 'days'
        when differing.words && (a.named || b.named) then 'names'
        when differing.words <> '{}' or a.said = '{}' and one <> other then 'words'
        when exists (
            select from (select split_part(sense, ':', 1) as kind from unnest(a.senses) as sense
                          where sense <> all (b.senses)) as here
              join (select split_part(sense, ':', 1) as kind from unnest(b.senses) as sense
                     where sense <> all (a.senses)) as there using (kind))
        then 'senses'
        when cardinality(a.said) = cardinality(b.said) and (
            -- Between the common beginning and end only one phrase may have moved past another: a rotation.
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
                        || array(select unnest(b.words) except select unnest(a.words)) as words) as differing;
$$;

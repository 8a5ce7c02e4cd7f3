-- Returns, for each of `others`, the rule by which it and `one`, about one subject, cannot both be true, or null.
-- Prefers precision: a wrong conflict lowers the confidence of a true fact. The caller selects similar texts; this
-- function compares their words (parse_statement), provided that both mention the same persons, times, directions,
-- identifying numbers (identifying_numbers) and names. Names are the same only if spelled alike (Jan, Jane). `one` is
-- parsed once; identifying numbers are read only where one text is negated and the other is not, or the words agree.
-- Null if `others` is empty.
--   negation   one denies the other's statement in the same words and order. The affirmed one may continue ("does
--              not eat meat", "eats meat on Sundays": a denial of the whole denies every part), and may be about any
--              person where the other is about none.
--   numbers    the same words with another number that counts or measures, in a present state: in the past both can
--              be true ("saw two countries" and three, "was there in 2019" and 2023)
--   opposites  a word and its opposite from a closed list; adjectives only as the predicate ("is open", "is
--              closed"), because one can have a big dog and a small one
create or replace function memory_internal.contradiction_rules(one text, others text[]) returns text[]
language sql immutable parallel safe cost 100000 as $$
    select array_agg(case
        when a.words = '{}' or b.words = '{}' then null
        when exists (
            select from unnest(a.senses) as here
              join unnest(b.senses) as there on split_part(here, ':', 1) = split_part(there, ':', 1)
             where here <> all (b.senses) and there <> all (a.senses)) then null
        when array(select word from unnest(a.said) as word where word like 'who:%')
          <> array(select word from unnest(b.said) as word where word like 'who:%') then null
        when exists (
            select from (values (one, compared.other, b.words), (compared.other, one, a.words))
                            as t (here, there, stems),
                lateral regexp_matches(t.here, '\m([[:upper:]][[:alpha:]]+)', 'g') as name
             where memory_internal.word_stem(lower(name[1])) = any (t.stems)
               and lower(t.there) !~ concat('\m', lower(name[1]), '\M')) then null
        when a.negated <> b.negated then (
            select 'negation'
              from memory_internal.content_words(case when a.negated then a.said else b.said end) as denied,
                   memory_internal.content_words(case when a.negated then b.said else a.said end) as claimed
             where denied <> '{}'
               and case when a.negated then a.numbers <@ b.numbers else b.numbers <@ a.numbers end
               and exists (
                   select from memory_internal.identifying_numbers(one) as here,
                               memory_internal.identifying_numbers(compared.other) as there
                    where case when a.negated then here = there[:cardinality(here)]
                               else there = here[:cardinality(there)] end)
               and (denied = claimed
                    or case when a.negated then a.words else b.words end && '{nobodi,noth}'
                       and denied = claimed[cardinality(claimed) - cardinality(denied) + 1:]
                    or cardinality(denied) > 1 and denied = claimed[:cardinality(denied)]
                       and case when a.negated then compared.other else one end ~* concat(
                           '\m', left(denied[cardinality(denied)], -1), '[[:alpha:]]*[,;]?\s+(with|without|on|in|at|',
                           'for|and|or|every|because|since|when|while|as|to|from|near|during|by|after|before|but)\M')))
        when differing.here = '{}' and differing.there = '{}' then case
            when cardinality(a.numbers) = cardinality(b.numbers) and not a.numbers <@ b.numbers
                and memory_internal.content_words(a.said) = memory_internal.content_words(b.said)
                and memory_internal.identifying_numbers(one) = memory_internal.identifying_numbers(compared.other)
                and 'time:then' <> all (a.senses)
                and not a.words && '{januari,februari,march,april,mai,jun,juli,august,september,october,november,
                                     december}'
                and not exists (select from unnest(a.numbers || b.numbers) as number where number ~ '^(19|20)[0-9]{2}$')
                and not exists (
                    select from unnest(a.words) as word
                     where word ~ 'ed$'
                        or word = any ('{ran,met,went,saw,ate,mad,took,got,wrot,won,gav,had,spent,flew}'))
            then 'numbers' end
        when cardinality(differing.here) = 1 and cardinality(differing.there) = 1
            and a.numbers <@ b.numbers and b.numbers <@ a.numbers
            and array_replace(a.said, differing.here[1], differing.there[1]) = b.said
            and memory_internal.identifying_numbers(one) = memory_internal.identifying_numbers(compared.other)
            and exists (
                select from (values
                    (false, 'lik lov enjoi ador', 'hat dislik detest loath'), (false, 'trust', 'distrust mistrust'),
                    (false, 'support', 'oppos reject'), (false, 'accepted', 'rejected declined refused'),
                    (false, 'agre', 'disagre'), (false, 'won', 'lost'), (false, 'passed', 'failed'),
                    (true, 'open', 'closed shut'), (true, 'married', 'singl divorced widowed unmarried'),
                    (true, 'singl', 'divorced widowed engaged'), (true, 'aliv', 'dead'),
                    (true, 'introvert', 'extrovert'), (true, 'introverted', 'extroverted'),
                    (true, 'employed', 'unemployed'), (true, 'tru', 'fals'), (true, 'possibl', 'impossibl'),
                    (true, 'full', 'empti'), (true, 'rich', 'poor'), (true, 'big', 'smal'), (true, 'tal', 'short'),
                    (true, 'near', 'far'), (true, 'earli', 'lat'), (true, 'hot', 'cold'),
                    (true, 'easi', 'hard difficult'), (true, 'safe', 'dangerou'), (true, 'happi', 'sad unhappi'),
                    (true, 'healthi', 'sick unhealthi'), (true, 'strong', 'weak'), (true, 'wet', 'dri'),
                    (true, 'clean', 'dirti'), (true, 'cheap', 'expensiv'), (true, 'awak', 'asleep'),
                    (true, 'vegetarian vegan', 'carnivor')
                ) as opposite (last, these, those),
                lateral string_to_array(these, ' ') as this_side, lateral string_to_array(those, ' ') as that_side
                 where (differing.here[1] = any (this_side) and differing.there[1] = any (that_side)
                        or differing.there[1] = any (this_side) and differing.here[1] = any (that_side))
                   and (not last or a.said[cardinality(a.said)] = differing.here[1]))
            then 'opposites'
    end order by compared.place)
      from memory_internal.parse_statement(one) as a,
           unnest(others) with ordinality as compared (other, place),
           lateral memory_internal.parse_statement(compared.other) as b,
           lateral (select array(select unnest(a.words) except select unnest(b.words)) as here,
                           array(select unnest(b.words) except select unnest(a.words)) as there offset 0) as differing;
$$;

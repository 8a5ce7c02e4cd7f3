-- Which rule says that two texts about one subject cannot both be true; null where none sees it. Precision first: a wrong
-- conflict costs a true fact. Similarity is the caller's: it proposes, this judges the words. With the same content words
-- otherwise, as memory_api.words_apart counts them, speaking of the same persons, times and directions:
--   negation   one denies what the other says
--   numbers    another number
--   opposites  a word against its opposite, of a closed list
create or replace function memory_api.incompatible(one text, other text) returns text
language sql immutable parallel safe cost 5000 as $$
    select case
        when exists (
            select from unnest(a.senses) as here
              join unnest(b.senses) as there
                on split_part(here, ':', 1) = split_part(there, ':', 1)
             where here <> all (b.senses) and there <> all (a.senses)) then null
        when array(select word from unnest(a.said) as word where word like 'who:%')
          <> array(select word from unnest(b.said) as word where word like 'who:%') then null
        when odd.here = '{}' and odd.there = '{}' then case
            when a.words = '{}' then null
            when a.numbers <@ b.numbers and b.numbers <@ a.numbers
                then case when a.negated <> b.negated then 'negation' end
            when cardinality(a.numbers) = cardinality(b.numbers) and a.negated = b.negated then 'numbers' end
        when cardinality(odd.here) = 1 and cardinality(odd.there) = 1 and a.negated = b.negated
            and a.numbers <@ b.numbers and b.numbers <@ a.numbers
            and exists (
                select from unnest(array[
                    'lik:hat dislik detest loath', 'lov:hat dislik detest loath', 'enjoi:hat dislik detest loath',
                    'open:closed shut', 'married:singl divorced widowed', 'singl:divorced widowed engaged',
                    'aliv:dead', 'introvert:extrovert', 'employed:unemployed', 'vegetarian:carnivor', 'vegan:carnivor'
                ]) as opposite
                 where odd.here[1] = split_part(opposite, ':', 1)
                       and odd.there[1] = any (string_to_array(split_part(opposite, ':', 2), ' '))
                    or odd.there[1] = split_part(opposite, ':', 1)
                       and odd.here[1] = any (string_to_array(split_part(opposite, ':', 2), ' ')))
            then 'opposites'
    end
      from memory_api.words_apart(one) as a,
           memory_api.words_apart(other) as b,
           lateral (select array(select unnest(a.words) except select unnest(b.words)) as here,
                           array(select unnest(b.words) except select unnest(a.words)) as there) as odd;
$$;

-- Whether a sentence says what a fact says, and not something else in its words. Precision first: a wrong one keeps alive
-- what nobody said. The sentence begins with all of it, save who speaks, and in its order ("I live in Berlin, near the
-- park" says that the user lives there); "I left Berlin", "I used to live in Berlin", "my sister lives in Berlin" do not.
-- What goes on behind it has to be a new phrase, not more of the last word ("I love Berlin", "I love Berlin Zoo"). It neither
-- asks nor supposes, denies alike, and speaks of the same numbers, persons and times. As dear as memory_api.mismatch.
create or replace function memory_api.says_so(sentence text, fact text) returns boolean
language sql immutable parallel safe cost 5000 as $$
    select f.words <> '{}' and f.negated = s.negated and f.numbers <@ s.numbers
           and sentence !~ '\?\s*$'
           and sentence !~* ('\m(if|unless|until|till|maybe|perhaps|probably|might|would|could|wish|used to|anymore|'
                             || 'any longer|pretend\w*|imagine\w*|joking|kidding|supposedly|allegedly)\M')
           and not exists (
               select from (select split_part(sense, ':', 1) as kind from unnest(f.senses) as sense
                             where sense <> all (s.senses)) as here
                 join (select split_part(sense, ':', 1) as kind from unnest(s.senses) as sense
                        where sense <> all (f.senses)) as there using (kind)
                where kind <> 'who')
           and told.wanted <> '{}' and told.here[:cardinality(told.wanted)] = told.wanted
           and (cardinality(told.here) = cardinality(told.wanted)
                or told.wanted[cardinality(told.wanted)] !~ '^[[:alpha:]]+$'
                or sentence ~* concat(
                    '\m', left(told.wanted[cardinality(told.wanted)], -1), '[[:alpha:]]*([,;:.!]|\s+[-–(]|\s+(with|on|in|at|for|',
                    'and|every|because|since|when|while|as|near|during|by|but|now|again|too|still|today|there|here)\M)'))
      from memory_api.words_apart(fact) as f,
           memory_api.words_apart(sentence) as s,
           lateral (select case when f.said[1] in ('who:i', 'who:we') then f.said[2:] else f.said end as wanted,
                           case when s.said[1] in ('who:i', 'who:we') then s.said[2:] else s.said end as here) as told;
$$;

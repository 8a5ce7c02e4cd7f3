-- Returns whether two similar lessons teach the same. Prefers precision: a wrong pair would create a lesson without
-- evidence. The same numbers, negation, persons and directions, no contradiction (contradiction_rule), and no content
-- word replaced by another: only one of the two may say more. "Ask before deleting files" and "Always ask before you
-- delete files" are the same; "Book aisle seats" and "Book window seats" are not, at a cosine of 0.88. Words of the
-- same stem but different endings ("deploy", "deployment") and words that say only that something is to be done are
-- ignored.
create or replace function memory_internal.is_same_lesson(one text, other text) returns boolean
language sql immutable parallel safe cost 10000 as $$
    with told as materialized (
        select a.numbers as a_numbers, b.numbers as b_numbers, a.negated as a_negated, b.negated as b_negated,
               a.senses as a_senses, b.senses as b_senses,
               array(select unnest(a.words) except select unnest(light.words)) as a_words,
               array(select unnest(b.words) except select unnest(light.words)) as b_words
          from memory_internal.parse_statement(lower(one)) as a,
               memory_internal.parse_statement(lower(other)) as b,
               lateral (select array(select memory_internal.word_stem(w)
                                       from unnest('{always,ask,check,make,sure,ensure,keep,give,use,do,every,each,all,
                                                     something,anything,someone,anyone,first,up,because,while,if,once,
                                                     should,must,will,remember,user,wishes,wish}'::text[]) as w)
                               as words) as light
    )
    select t.a_numbers @> t.b_numbers and t.b_numbers @> t.a_numbers and t.a_negated = t.b_negated
       and (t.a_words <> '{}' or one = other)
       and not exists (
            select from unnest(t.a_senses) as here
              join unnest(t.b_senses) as there on split_part(here, ':', 1) = split_part(there, ':', 1)
             where split_part(here, ':', 1) in ('who', 'way', 'side')
               and here <> all (t.b_senses) and there <> all (t.a_senses))
       and not (
            exists (select from unnest(t.a_words) as here
                     where not exists (select from unnest(t.b_words) as there
                                        where memory_internal.is_same_stem(here, there)))
            and exists (select from unnest(t.b_words) as there
                         where not exists (select from unnest(t.a_words) as here
                                            where memory_internal.is_same_stem(here, there))))
       and memory_internal.contradiction_rule(one, other) is null
      from told t
$$;

-- Returns whether a reply to a question that names a fact and its rivals chooses the fact: a clause of it has a word or
-- number that distinguishes the fact, and the reply none that distinguishes a rival. What it denies ("not the 21st, the
-- 12th") is left out, and clauses about another time ("I left Berlin"). False where the texts differ only in negation.
-- Called by apply_replies.
create or replace function memory_internal.reply_names_fact(reply text, fact text, rivals text[])
returns boolean
language sql stable as $$
    with affirmed as materialized (
        select regexp_replace(reply, '\mnot? [^,;.!]*', ' ', 'gi') as content
    ), parsed as materialized (
        select t.part, parts.words
          from affirmed
         cross join lateral (
            select string_agg(clause, ', ') as content
              from regexp_split_to_table(affirmed.content, '[,;.!]') as clause
             where clause !~* ('n.t\M|\m(no longer|any ?more|used to|was|were|left|moved|former|old|before|wrong|but|'
                               'except|without|ago|never|neither)\M')) as chosen
         cross join lateral (values ('reply', affirmed.content), ('chosen', coalesce(chosen.content, '')),
                                    ('fact', fact), ('rivals', array_to_string(rivals, E'\n'))) as t (part, content)
         cross join lateral memory_internal.parse_opinion(t.content) as parts
    )
    select array(select unnest(statement.words) except select unnest(rival_words.words)) && chosen.words
       and not array(select unnest(rival_words.words) except select unnest(statement.words)) && reply_words.words
      from parsed reply_words, parsed chosen, parsed statement, parsed rival_words
     where reply_words.part = 'reply' and chosen.part = 'chosen' and statement.part = 'fact'
       and rival_words.part = 'rivals';
$$;

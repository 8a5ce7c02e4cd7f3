-- Returns whether a reply to a question that names a fact and its rivals chooses the fact: it has a word or number that
-- distinguishes the fact, and none that distinguishes a rival. What the reply denies ("not the 21st, the 12th") is left
-- out. False where the texts differ only in negation.
create or replace function memory_internal.reply_names_fact(reply text, fact text, rivals text[])
returns boolean
language sql stable as $$
    with parsed as materialized (
        select t.part, parts.words || parts.numbers as words
          from (values ('reply', regexp_replace(reply, '\m(not|isn.t|never|neither)\M[^,;.!]*', ' ', 'gi')), ('fact', fact),
                       ('rivals', array_to_string(rivals, E'\n'))) as t (part, content)
         cross join lateral memory_internal.parse_statement(regexp_replace(regexp_replace(
               t.content, '\m(love|enjoy|adore)', 'like', 'gi'), '\m(hate|detest|loathe)', 'dislike', 'gi')) as parts
    )
    select array(select unnest(statement.words) except select unnest(rival_words.words)) && reply_words.words
       and not array(select unnest(rival_words.words) except select unnest(statement.words)) && reply_words.words
      from parsed reply_words, parsed statement, parsed rival_words
     where reply_words.part = 'reply' and statement.part = 'fact' and rival_words.part = 'rivals';
$$;

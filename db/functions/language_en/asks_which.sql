-- Returns whether a question names a fact and its rivals: it has words or numbers that distinguish each.
-- Called by apply_replies.
create or replace function memory_internal.asks_which(question text, fact text, rivals text[])
returns boolean
language sql stable as $$
    with parsed as materialized (
        select t.part, parts.words
          from (values ('question', question), ('fact', fact), ('rivals', array_to_string(rivals, E'\n')))
                   as t (part, content)
         cross join lateral memory_internal.parse_opinion(t.content) as parts
    )
    select array(select unnest(statement.words) except select unnest(rival_words.words)) && asked.words
       and array(select unnest(rival_words.words) except select unnest(statement.words)) && asked.words
      from parsed asked, parsed statement, parsed rival_words
     where asked.part = 'question' and statement.part = 'fact' and rival_words.part = 'rivals';
$$;

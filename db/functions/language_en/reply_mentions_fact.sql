-- Returns whether an assistant message asks about a fact, so that a user's "yes" or "no" answers it. Compares the
-- last question of the message, or the whole message without one: it must contain the value of the fact, or two of
-- its words if it has no value. Prefers precision: false for a negated question ("you no longer ...?"), where "yes"
-- is ambiguous, and for one that uses words of a conflicting fact only ("do you love it now?" about a dislike).
create or replace function memory_internal.reply_mentions_fact(reply text, fact text, value text, rivals text[])
returns boolean
language sql stable as $$
    with parsed as materialized (
        select t.part, parts.words, parts.negated
          from (values ('asked', coalesce(substring(reply from '([^.!?\n]*)\?[^?]*$'), reply)), ('fact', fact),
                       ('value', coalesce(value, '')), ('rivals', array_to_string(rivals, E'\n'))) as t (part, content)
         cross join lateral memory_internal.parse_opinion(t.content) as parts
    )
    select not question.negated and not statement.negated
       and case when value_words.words <> '{}' then value_words.words <@ question.words
                else cardinality(array(select unnest(statement.words) intersect select unnest(question.words))) > 1 end
       and not array(select unnest(rival_words.words) except select unnest(statement.words)) && question.words
      from parsed question, parsed statement, parsed value_words, parsed rival_words
     where question.part = 'asked' and statement.part = 'fact' and value_words.part = 'value'
       and rival_words.part = 'rivals';
$$;

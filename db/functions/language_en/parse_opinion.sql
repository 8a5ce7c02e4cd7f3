-- Parses a text as parse_statement does, with one word for each liking and one for each dislike. `words` has numbers
-- too. Called by reply_mentions_fact, reply_names_fact and asks_which.
create or replace function memory_internal.parse_opinion(content text, out words text[], out negated boolean)
language sql immutable parallel safe as $$
    select s.words || s.numbers, s.negated
      from memory_internal.parse_statement(regexp_replace(regexp_replace(
           content, '\m(love|enjoy|adore)', 'like', 'gi'), '\m(hate|detest|loathe)', 'dislike', 'gi')) as s;
$$;

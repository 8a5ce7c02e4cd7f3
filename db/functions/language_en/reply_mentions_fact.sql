-- Whether a reply of the agent brings a fact up, so that "yes" or "no" may be said of it. A question is what is answered,
-- the last one where there are several, else the whole reply. It names the value of the fact, or where none is known two
-- of its words. Precision first: what denies ("you no longer ...?") leaves open what "yes" means, and so does what speaks
-- in the words of a fact that this one is in conflict with ("do you love it now?", of what is disliked).
create or replace function memory_internal.reply_mentions_fact(reply text, fact text, value text, rivals text[]) returns boolean
language sql stable as $$
    with told as materialized (
        select t.what, apart.words || apart.numbers as words, apart.negated
          from (values ('asked', coalesce(substring(reply from '([^.!?\n]*)\?[^?]*$'), reply)), ('fact', fact),
                       ('value', coalesce(value, '')), ('rivals', array_to_string(rivals, E'\n'))) as t (what, content)
         cross join lateral memory_internal.parse_statement(regexp_replace(regexp_replace(
               t.content, '\m(love|enjoy|adore)', 'like', 'gi'), '\m(hate|detest|loathe)', 'dislike', 'gi')) as apart
    )
    select not asked.negated and not said.negated
       and case when meant.words <> '{}' then meant.words <@ asked.words
                else cardinality(array(select unnest(said.words) intersect select unnest(asked.words))) > 1 end
       and not array(select unnest(rival.words) except select unnest(said.words)) && asked.words
      from told asked, told said, told meant, told rival
     where asked.what = 'asked' and said.what = 'fact' and meant.what = 'value' and rival.what = 'rivals';
$$;

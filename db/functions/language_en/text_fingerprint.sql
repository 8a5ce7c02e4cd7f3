-- A key that two texts share wherever memory_api.text_difference could let them pass as the same: their content words, their
-- numbers and whether they negate. So what says the same is found by an index probe in a bank of any size. Who changes
-- what parse_statement makes of a text empties memory.episodic_memory.said_key in the same release: it is filled again
-- where it is missing.
create or replace function memory_internal.text_fingerprint(content text) returns bigint
language sql immutable parallel safe cost 2000 as $$
    select hashtextextended(
        concat(array_to_string(array(select w from unnest(a.words) as w order by w collate "C"), ' '), '|',
               array_to_string(array(select n from unnest(a.numbers) as n order by n collate "C"), ' '), '|',
               a.negated), 0)
      from memory_internal.parse_statement(content) as a;
$$;

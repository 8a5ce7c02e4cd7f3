-- Returns a key that two texts share whenever text_difference could return null for them: content words, numbers and
-- negation. Duplicates are therefore found by an index probe in a bank of any size. A release that changes the
-- result of parse_statement must set memory.episodic_memory.fingerprint to null; it is recomputed where missing.
create or replace function memory_internal.text_fingerprint(content text) returns bigint
language sql immutable parallel safe cost 2000 as $$
    select hashtextextended(
        concat(array_to_string(array(select w from unnest(a.words) as w order by w collate "C"), ' '), '|',
               array_to_string(array(select n from unnest(a.numbers) as n order by n collate "C"), ' '), '|',
               a.negated), 0)
      from memory_internal.parse_statement(content) as a;
$$;

-- How many memories a bank has, each word of a query in the bank's language and how rare it is in this bank (BM25's idf),
-- and the any-word query of those that can find something: the rare ones, or the rarest where none is rare; `finding_here`
-- is the same within the bank. Of a long text the longest words are looked up, which are rare more often than the short
-- ones. Probes of a key, so one plan serves every bank.
create or replace function memory_api.query_words(
    bank text, language regconfig, words text, out memories bigint, out terms tsquery[], out rarity double precision[],
    out finding tsquery, out finding_here tsquery)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    common constant double precision := 0.1;  -- a word that more memories have than this finds nobody, it only ranks
    counted constant integer := 128;  -- words of a long text that are looked up: its longest
    most constant integer := 32;  -- of those, the words that count: the rarest
    bank_word constant text := memory_api.bank_word(bank);
begin
    perform memory_api.enter_bank(bank);
    with counts as materialized (
        select coalesce((
            select w.memories
              from memory.word_count w
             where w.bank_id = bank and w.word = bank_word), 0) as memories
    )
    select (select c.memories from counts c), array_agg(t.term), array_agg(t.rarity),
           coalesce(string_agg(t.term::text, ' | ') filter (where t.rare), (array_agg(t.term::text))[1])::tsquery
      into memories, terms, rarity, finding
      from (select q.term, ln(1 + (c.memories - q.found + 0.5) / (q.found + 0.5)) as rarity,
                   q.found between 1 and common * c.memories as rare
              from counts c
             cross join (
                select ('''' || replace(replace(l.lexeme, '\', '\\'), '''', '''''') || '''')::tsquery as term,
                       coalesce((select w.memories
                                   from memory.word_count w
                                  where w.bank_id = bank and w.word = l.lexeme), 0)::double precision as found
                  from (select lexeme
                          from unnest(tsvector_to_array(to_tsvector(language, words))) as lexeme
                         order by length(lexeme) desc, lexeme
                         limit counted) as l
                offset 0) as q
             order by q.found = 0, rarity desc, q.term::text
             limit most) as t;
    finding_here := ('''' || bank_word || '''')::tsquery && finding;
end $$;

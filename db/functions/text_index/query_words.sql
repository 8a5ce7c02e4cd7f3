-- Returns the number of memories of a bank, the query's words in the bank's language with their rarity in this bank
-- (BM25's idf), and the any-word query of the words that select candidates (`finding`; `finding_here` restricted to
-- the bank): the rare ones, or the rarest if none is rare. Of a long text the longest words are looked up, which are
-- rare more often than short ones. Probes by key, so that one plan serves every bank.
-- A large bank is searched by selective_query instead of `finding`.
-- A word that no memory contains selects nothing but counts in the total of rarities: otherwise a match of the other
-- words would score too high (R@10 on labelled chats falls from 77.6 to 75.4). If it is one of `doubtful` (lower
-- case, possibly misspelt), similar words of the bank replace it (similar_words): each gets the part `share` of that
-- word's rarity, the rest of the rarest one's remains in the total.
create or replace function memory_internal.query_words(
    bank text, language regconfig, words text, doubtful text[] default null,
    out memories bigint, out terms tsquery[], out rarity double precision[], out finding tsquery, out finding_here tsquery)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    common_share constant double precision := 0.1;  -- share of memories above which a word only ranks
    max_looked_up constant integer := 128;  -- words looked up of a long text: its longest
    max_terms constant integer := 32;  -- words used of those looked up: the rarest
    max_doubtful constant integer := 4;  -- doubtful words replaced by similar ones: the longest
    bank_word constant text := memory_internal.bank_lexeme(bank);
begin
    perform memory_internal.enter_bank(bank);
    with counts as materialized (
        select coalesce((
            select w.memories
              from memory.word_count w
             where w.bank_id = bank and w.word = bank_word), 0) as memories
    ),
    spellings as materialized (
        select s.stem, s.word, s.memories, s.share
          from (select d.word
                  from unnest(doubtful) as d (word)
                 order by length(d.word) desc, d.word
                 limit max_doubtful) as d
         cross join memory_internal.similar_words(bank, language, d.word) as s
    )
    select (select c.memories from counts c), array_agg(t.term), array_agg(t.rarity),
           coalesce(string_agg(t.term::text, ' | ') filter (where t.rare), (array_agg(t.term::text))[1])::tsquery
      into memories, terms, rarity, finding
      from (select q.term, q.finds,
                   max(q.share * ln(1 + (c.memories - q.found + 0.5) / (q.found + 0.5))) as rarity,
                   bool_or(q.finds and q.found <= common_share * c.memories) as rare
              from counts c
             cross join (
                select ('''' || replace(replace(f.word, '\', '\\'), '''', '''''') || '''')::tsquery as term,
                       f.found::double precision as found, f.share, f.finds
                  from (select l.word, l.found, 1.0 as share, l.found > 0 as finds
                          from (select l.lexeme as word,
                                       coalesce((select w.memories
                                                   from memory.word_count w
                                                  where w.bank_id = bank and w.word = l.lexeme), 0) as found
                                  from (select lexeme
                                          from unnest(tsvector_to_array(to_tsvector(language, words))) as lexeme
                                         order by length(lexeme) desc, lexeme
                                         limit max_looked_up) as l
                                offset 0) as l
                         where not exists (select from spellings s where s.stem = l.word)
                         union all
                        select s.word, s.memories, s.share, true from spellings s
                         union all
                        select s.stem, s.memories, 1 - s.share, false from spellings s) as f
                offset 0) as q
             group by q.term, q.finds
             order by not q.finds, rarity desc, q.term::text
             limit max_terms) as t;
    finding_here := ('''' || bank_word || '''')::tsquery && finding;
end $$;

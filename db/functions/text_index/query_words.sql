-- How many memories a bank has, each word of a query in the bank's language and how rare it is in this bank (BM25's idf),
-- and the any-word query of those that can find something: the rare ones, or the rarest where none is rare; `finding_here`
-- is the same within the bank. Of a long text the longest words are looked up, which are rare more often than the short
-- ones. Probes of a key, so one plan serves every bank.
-- In a `large` bank only the rarest words find something: ranking a match takes 2 to 5 us.
-- A word that no memory has finds nothing and counts against all of them: without it a match of the other words would say
-- too much (R@10 of labelled chats falls from 77.6 to 75.4). For such a word that is one of `doubtful`, given in lower case,
-- similar words of the bank stand in (memory_internal.similar_words): each has its share of its own rarity, the rest of the
-- rarest one's counts against all.
create or replace function memory_internal.query_words(
    bank text, language regconfig, words text, doubtful text[] default null, large boolean default false,
    out memories bigint, out terms tsquery[], out rarity double precision[], out finding tsquery, out finding_here tsquery)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    common constant double precision := 0.1;  -- a word that more memories have than this finds nobody, it only ranks
    counted constant integer := 128;  -- words of a long text that are looked up: its longest
    most_found constant integer := 1000;  -- matches of the words that find something in a large bank, together
    most_of_one constant integer := 5000;  -- and of its rarest word alone
    most constant integer := 32;  -- of those, the words that count: the rarest
    most_doubtful constant integer := 4;  -- words that similar ones are looked up for: the longest
    bank_word constant text := memory_internal.bank_lexeme(bank);
begin
    perform memory_internal.enter_bank(bank);
    with counts as materialized (
        select coalesce((
            select w.memories
              from memory.word_count w
             where w.bank_id = bank and w.word = bank_word), 0) as memories
    ),
    alike as materialized (
        select s.stem, s.word, s.memories, s.share
          from (select d.word
                  from unnest(doubtful) as d (word)
                 order by length(d.word) desc, d.word
                 limit most_doubtful) as d
         cross join memory_internal.similar_words(bank, language, d.word) as s
    )
    select (select c.memories from counts c), array_agg(t.term), array_agg(t.rarity),
           coalesce(string_agg(t.term::text, ' | ') filter (where t.rare and (not large or t.matches <= most_found)),
                    (array_agg(t.term::text) filter (where not large or t.matches <= most_of_one))[1])::tsquery
      into memories, terms, rarity, finding
      from (select q.term, q.finds,
                   max(q.share * ln(1 + (c.memories - q.found + 0.5) / (q.found + 0.5))) as rarity,
                   bool_or(q.finds and q.found <= common * c.memories) as rare,
                   sum(max(q.found)) over (order by not q.finds, max(q.found), q.term::text) as matches
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
                                         limit counted) as l
                                offset 0) as l
                         where not exists (select from alike s where s.stem = l.word)
                         union all
                        select s.word, s.memories, s.share, true from alike s
                         union all
                        select s.stem, s.memories, 1 - s.share, false from alike s) as f
                offset 0) as q
             group by q.term, q.finds
             order by not q.finds, rarity desc, q.term::text
             limit most) as t;
    finding_here := ('''' || bank_word || '''')::tsquery && finding;
end $$;

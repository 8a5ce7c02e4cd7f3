-- How many memories a bank has, each word of a query and how rare it is in this bank (BM25's idf), and the any-word
-- query of those that can find something: the rare ones, or the rarest where none is rare; `finding_here` is the same
-- within the bank. Of a long text the longest words are looked up, which are rare more often than the short ones. Probes
-- of a key, so one plan serves every bank.
create or replace function memory_api.query_words(
    bank text, words text, out memories bigint, out terms tsquery[], out rarity double precision[],
    out finding tsquery, out finding_here tsquery)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    common constant double precision := 0.1;  -- a word that more memories have than this finds nobody, it only ranks
    counted constant integer := 128;  -- words of a long text that are looked up: its longest
    most constant integer := 32;  -- of those, the words that count: the rarest
    here constant tsquery := ('''' || memory_api.bank_word(bank) || '''')::tsquery;
    language regconfig;
begin
    perform memory_api.enter_bank(bank);
    select coalesce(b.settings ->> 'language', 'english')::regconfig into language
      from memory.bank b
     where b.bank_id = bank;
    memories := coalesce((
        select w.memories
          from memory.word_count w
         where w.bank_id = bank and w.word = memory_api.bank_word(bank)), 0);
    select array_agg(t.term), array_agg(t.rarity),
           coalesce(string_agg(t.term::text, ' | ') filter (where t.found between 1 and common * memories),
                    (array_agg(t.term::text))[1])::tsquery
      into terms, rarity, finding
      from (select q.term, q.found, ln(1 + (memories - q.found + 0.5) / (q.found + 0.5)) as rarity
              from (select ('''' || replace(replace(l.lexeme, '\', '\\'), '''', '''''') || '''')::tsquery as term,
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
    finding_here := here && finding;
end $$;

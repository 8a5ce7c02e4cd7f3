-- How many memories a bank has, each word of a query and how rare it is here (BM25's idf), and the any-word query of
-- those that can find something: the rare ones, or all where none is rare. Nothing but index probes.
create or replace function memory_api.query_words(
    bank text, words text, out memories bigint, out terms tsquery[], out rarity double precision[],
    out total_rarity double precision, out finding tsquery)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    common constant double precision := 0.1;  -- a word that more memories have than this finds nobody, it only ranks
    most constant integer := 32;  -- words of a long text that count: its rarest
    here constant tsquery := ('''' || memory_api.bank_word(bank) || '''')::tsquery;
    language regconfig;
begin
    perform memory_api.enter_bank(bank);
    select coalesce(b.settings ->> 'language', 'english')::regconfig into language
      from memory.bank b
     where b.bank_id = bank;
    select count(*) into memories from memory.memory_text m where m.bank_id = bank;
    select array_agg(t.term), array_agg(t.rarity), sum(t.rarity),
           coalesce(string_agg(t.term::text, ' | ') filter (where t.found between 1 and common * memories),
                    string_agg(t.term::text, ' | '))::tsquery
      into terms, rarity, total_rarity, finding
      from (select q.term, f.found, ln(1 + (memories - f.found + 0.5) / (f.found + 0.5)) as rarity
              from (select ('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''')::tsquery as term
                      from unnest(tsvector_to_array(to_tsvector(language, words))) as lexeme) as q
             cross join lateral (select count(*) as found
                                   from memory.memory_text m
                                  where m.bank_id = bank and m.search @@ (here && q.term)) as f
             order by f.found = 0, rarity desc, q.term::text
             limit most) as t;
end $$;

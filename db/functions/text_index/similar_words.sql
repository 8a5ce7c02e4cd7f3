-- The words of a bank that a query's word may be a misspelling or a part of: at most three, the nearest, and of those the
-- most frequent. None where the bank has the word itself. memory_internal.query_words asks for each doubtful word of a query.
--   memories  how many memories of the bank have the word
--   share     how much of a match counts: 0.7 for one edit or the beginning of a word, 0.5 for two edits
-- One edit from 4 characters on, two from 8 on (memory_internal.edit_distance). One is the beginning of the other where the
-- shorter has 4 characters and 60 % of the longer. The bank has stems: `given` is compared as its stem and, in case the
-- error kept the stemmer from finding the ending, as it is with the stem and the same ending.
-- Two ranges are scanned: words that begin as the stem does (the key) and words that end as it does (the index of reversed
-- words). One edit leaves the first or the second half intact, except for a transposition of the middle letters, which is
-- probed for; of two edits most leave the first or the last third intact. This takes 0.3 to 1.2 ms in a bank of 5,000
-- words; `most_scanned` bounds each range in a bank of 100,000, so that some words of one may be missed.
create or replace function memory_internal.similar_words(bank text, language regconfig, given text)
returns table (stem text, word text, memories integer, share double precision)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_bitmapscan = off as $$
declare
    shortest constant integer := 4;
    longest constant integer := 40;  -- a longer word is no word
    most_scanned constant integer := 1000;
    last_character constant text := case when getdatabaseencoding() = 'UTF8' then chr(1114111) else '~' end;
    lexemes constant text[] := tsvector_to_array(to_tsvector(language, given));
    n constant integer := length(lexemes[1]);
    edits constant integer := case when length(given) < 8 then 1 else 2 end;
    head constant text := left(lexemes[1], case when edits = 1 then n / 2 else greatest(3, n / 3) end);
    tail constant text := reverse(right(lexemes[1], case when edits = 1 then n - n / 2 else greatest(3, n / 3) end));
    swapped constant text := overlay(
        lexemes[1] placing reverse(substr(lexemes[1], greatest(1, n / 2), 2)) from greatest(1, n / 2) for 2);
begin
    perform memory_internal.enter_bank(bank);
    stem := lexemes[1];
    if cardinality(lexemes) <> 1 or least(n, length(given)) < shortest or greatest(n, length(given)) > longest
       or exists (select from memory.word_count w where w.bank_id = bank and w.word = stem) then
        return;
    end if;
    return query
        with scanned as (
            (select w.word, w.memories
               from memory.word_count w
              where w.bank_id = bank and w.word >= head and w.word < head || last_character
              limit most_scanned)
            union
            (select w.word, w.memories
               from memory.word_count w
              where w.bank_id = bank and reverse(w.word) >= tail and reverse(w.word) < tail || last_character
              limit most_scanned)
            union
            select w.word, w.memories
              from memory.word_count w
             where w.bank_id = bank and w.word = swapped
        ),
        compared as (
            select s.word, s.memories, least(
                       case
                       when abs(length(s.word) - n) <= edits and length(translate(stem, s.word, '')) <= edits
                       then memory_internal.edit_distance(s.word, stem, edits)
                       end,
                       case
                       when length(s.word) < length(given)
                       then (select min(memory_internal.edit_distance(s.word || e.ending, given, edits))
                               from (select right(given, i) as ending
                                       from generate_series(greatest(1, length(given) - length(s.word) - edits),
                                                            least(4, length(given) - length(s.word) + edits)) as i
                                     offset 0) as e
                              where length(translate(given, s.word || e.ending, '')) <= edits
                                and tsvector_to_array(to_tsvector(language, s.word || e.ending)) = array[s.word])
                       end) as distance,
                   least(length(s.word), n) >= greatest(shortest, 0.6 * greatest(length(s.word), n))
                   and (starts_with(s.word, stem) or starts_with(stem, s.word)) as begins
              from scanned s
             where length(translate(s.word, given, '')) <= case when starts_with(s.word, stem) then n else edits end
               and length(s.word) >= shortest - 1 and s.word !~ '[ 0-9]'
            offset 0
        ),
        nearest as (
            select c.word, c.memories, case when c.distance = 1 then 1 when c.begins then 2 else 3 end as kind
              from compared c
             where c.distance is not null or c.begins
        )
        select stem, s.word, s.memories, case when s.kind = 3 then 0.5 else 0.7 end::double precision
          from nearest s
         where s.kind = (select min(b.kind) from nearest b)
         order by s.memories desc, s.word
         limit 3;
end $$;

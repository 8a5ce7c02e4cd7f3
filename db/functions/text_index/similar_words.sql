-- Returns the bank's words of which a query word may be a misspelling or a part: at most three of the nearest kind,
-- the most frequent first; none if the bank contains the word itself. Called by query_words for each doubtful word.
--   memories  number of the bank's memories with the word
--   share     weight of a match: 0.7 for one edit or a common beginning, 0.5 for two edits
-- Allows one edit from 4 characters on, two from 8 on (edit_distance). A common beginning counts if the shorter word
-- is the whole beginning, with at least 4 characters and 60 % of the longer. The bank contains stems: `given` is
-- compared as its stem and, in case the misspelling kept the stemmer from removing the ending, unstemmed with the
-- candidate's stem plus the same ending.
-- Scans two ranges: words with the same beginning (the key) and words with the same end (the index of reversed
-- words). One edit leaves the first or the second half intact, except for a transposition of the middle letters,
-- which is probed separately; two edits mostly leave the first or the last third intact. Takes 0.3 to 1.2 ms in a
-- bank of 5,000 words; max_scanned bounds each range, so that in a bank of 100,000 words some may be missed.
create or replace function memory_internal.similar_words(bank text, language regconfig, given text)
returns table (stem text, word text, memories integer, share double precision)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_bitmapscan = off as $$
declare
    min_length constant integer := 4;
    max_length constant integer := 40;  -- longer strings are not words
    max_scanned constant integer := 1000;
    last_character constant text := case when getdatabaseencoding() = 'UTF8' then chr(1114111) else '~' end;
    lexemes constant text[] := tsvector_to_array(to_tsvector(language, given));
    stem_length constant integer := length(lexemes[1]);
    edits constant integer := case when length(given) < 8 then 1 else 2 end;
    head constant text := left(lexemes[1], case when edits = 1 then stem_length / 2 else greatest(3, stem_length / 3) end);
    tail constant text := reverse(right(
        lexemes[1], case when edits = 1 then stem_length - stem_length / 2 else greatest(3, stem_length / 3) end));
    swapped constant text := overlay(
        lexemes[1] placing reverse(substr(lexemes[1], greatest(1, stem_length / 2), 2)) from greatest(1,
                                                                                                      stem_length / 2) for 2);
begin
    perform memory_internal.enter_bank(bank);
    stem := lexemes[1];
    if cardinality(lexemes) <> 1 or least(stem_length, length(given)) < min_length
        or greatest(stem_length, length(given)) > max_length
       or exists (select from memory.word_count w where w.bank_id = bank and w.word = stem) then
        return;
    end if;
    return query
        with scanned as (
            (select w.word, w.memories
               from memory.word_count w
              where w.bank_id = bank and w.word >= head and w.word < head || last_character
              limit max_scanned)
            union
            (select w.word, w.memories
               from memory.word_count w
              where w.bank_id = bank and reverse(w.word) >= tail and reverse(w.word) < tail || last_character
              limit max_scanned)
            union
            select w.word, w.memories
              from memory.word_count w
             where w.bank_id = bank and w.word = swapped
        ),
        compared as (
            select s.word, s.memories, least(
                       case
                       when abs(length(s.word) - stem_length) <= edits and length(translate(stem, s.word, '')) <= edits
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
                   least(length(s.word), stem_length) >= greatest(min_length, 0.6 * greatest(length(s.word), stem_length))
                   and (starts_with(s.word, stem) or starts_with(stem, s.word)) as shares_beginning
              from scanned s
             where length(translate(s.word, given, '')) <= case when starts_with(s.word,
                                                                                 stem) then stem_length else edits end
               and length(s.word) >= min_length - 1 and s.word !~ '[ 0-9]'
            offset 0
        ),
        nearest as (
            select c.word, c.memories, case when c.distance = 1 then 1 when c.shares_beginning then 2 else 3 end as kind
              from compared c
             where c.distance is not null or c.shares_beginning
        )
        select stem, s.word, s.memories, case when s.kind = 3 then 0.5 else 0.7 end::double precision
          from nearest s
         where s.kind = (select min(b.kind) from nearest b)
         order by s.memories desc, s.word
         limit 3;
end $$;

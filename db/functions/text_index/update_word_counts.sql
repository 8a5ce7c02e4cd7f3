-- Updates memory.word_count after the words of memories changed: `had` are the words of their rows before, `has`
-- after (indexed_words). Locks the rows in the order of the words; the caller holds the bank lock.
create or replace function memory_internal.update_word_counts(bank text, had text[], has text[]) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.word_count as w (bank_id, word, memories)
    select bank, c.word, sum(c.change)
      from (select word, 1 as change from unnest(has) as word
             union all
            select word, -1 from unnest(had) as word) as c
     group by c.word
    having sum(c.change) <> 0
     order by c.word
    on conflict on constraint word_count_pkey do update set memories = w.memories + excluded.memories;
    if had <> '{}' then
        delete from memory.word_count w where w.bank_id = bank and w.word = any (had) and w.memories <= 0;
    end if;
end $$;

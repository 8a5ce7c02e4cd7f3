-- Updates memory.word_count after the words of memories changed: `old_words` are the words of their rows before,
-- `new_words` after (indexed_words). Locks the rows in the order of the words; the caller holds the bank lock.
create or replace function memory_internal.update_word_counts(bank text, old_words text[], new_words text[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.word_count as w (bank_id, word, memories)
    select bank, c.word, sum(c.change)
      from (select word, 1 as change from unnest(new_words) as word
             union all
            select word, -1 from unnest(old_words) as word) as c
     group by c.word
    having sum(c.change) <> 0
     order by c.word
    on conflict on constraint word_count_pkey do update set memories = w.memories + excluded.memories;
    if old_words <> '{}' then
        delete from memory.word_count w where w.bank_id = bank and w.word = any (old_words) and w.memories <= 0;
    end if;
end $$;

-- Returns the words in these memories' rows of memory_text, bank_lexeme included, each as often as memories contain
-- it.
create or replace function memory_internal.indexed_words(bank text, memories uuid[]) returns text[]
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
    perform memory_internal.enter_bank(bank);
    return array(
        select unnest(tsvector_to_array(t.search))
          from (select distinct i as memory_id from unnest(memories) as i) as i
         cross join lateral (select t.search
                               from memory.memory_text t
                              where t.bank_id = bank and t.memory_id = i.memory_id
                             offset 0) as t);
end $$;

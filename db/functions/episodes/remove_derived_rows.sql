-- Deletes the vectors, links and entities of episodes, as for episodes that are deleted or get new content; `entities`
-- of the rows are still those that were stored. The words are index_episode_words'. The caller holds the bank lock.
create or replace function memory_internal.remove_derived_rows(bank text, memories uuid[]) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    delete from memory.memory_vector v where v.bank_id = bank and v.memory_id = any (memories);
    perform memory_internal.index_vectors(bank, memories);
    delete from memory.memory_link l where l.bank_id = bank and l.memory_id = any (memories);
    delete from memory.memory_link l where l.bank_id = bank and l.linked_id = any (memories);
    delete from memory.memory_entity n
     using memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = any (memories) and n.bank_id = bank and n.memory_id = e.memory_id
       and n.entity = any (array(select left(lower(name), 200) from unnest(e.entities) as name));
end $$;

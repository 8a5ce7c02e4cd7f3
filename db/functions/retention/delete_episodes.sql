-- Deletes episodes permanently, with the duplicates merged into them, their words, vectors, links, entities, raw
-- messages and stored answers about them, and returns the ids deleted. Facts learned from them stay unchanged, and
-- their evidence rows keep id and time. An event records who deleted them and why. Called by prune_episodes; the caller
-- holds the bank lock.
create or replace function memory_internal.delete_episodes(
    bank text, memories uuid[], reason text, actor text, at timestamptz default now())
returns setof uuid
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    deleted_ids uuid[];
begin
    perform memory_internal.enter_bank(bank);
    deleted_ids := memory_internal.with_duplicates(bank, memories);
    if deleted_ids = '{}' then
        return;
    end if;
    insert into memory.memory_event
        (bank_id, memory_id, memory_type, event, from_status, to_status, reason, actor, at)
    select bank, e.memory_id, 'episodic', 'deleted', e.status, null,
           case when e.memory_id = any (memories) then delete_episodes.reason
                else 'near duplicate of ' || e.merged_into_id || ', which is deleted' end,
           delete_episodes.actor, delete_episodes.at
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = any (deleted_ids)
     order by e.memory_id;
    update memory.message m
       set content = '', name = null, metadata = '{}', expired_at = at
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = any (deleted_ids) and m.bank_id = bank and m.segment_id = e.segment_id
       and m.expired_at is null;
    -- index_episode_words removes the words of rows that are not recallable and links their neighbours.
    update memory.episodic_memory e set status = 'deprecated' where e.bank_id = bank and e.memory_id = any (deleted_ids);
    perform memory_internal.index_episode_words(bank, deleted_ids);
    perform memory_internal.update_thread(bank, deleted_ids);
    perform memory_internal.remove_derived_rows(bank, deleted_ids);
    delete from memory.idempotency_key k where k.bank_id = bank and k.subject = any (deleted_ids);
    delete from memory.episodic_memory e where e.bank_id = bank and e.memory_id = any (deleted_ids);
    return query select unnest(deleted_ids);
end $$;

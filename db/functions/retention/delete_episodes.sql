-- Deletes episodes permanently, with the duplicates merged into them, their words, vectors, links, entities, raw
-- messages and stored answers about them, and returns the ids deleted. Facts learned from them stay unchanged, and their evidence rows keep id and
-- time. An event records who deleted them and why. Called by prune_episodes; the caller holds the bank lock.
create or replace function memory_internal.delete_episodes(
    bank text, memories uuid[], reason text, actor text, at timestamptz default now())
returns setof uuid
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    deleted_ids uuid[];
begin
    perform memory_internal.enter_bank(bank);
    with recursive with_duplicates as (
        select e.memory_id from memory.episodic_memory e where e.bank_id = bank and e.memory_id = any (memories)
         union
        select e.memory_id
          from with_duplicates g
          join memory.episodic_memory e on e.bank_id = bank and e.merged_into_id = g.memory_id
    )
    select array_agg(g.memory_id order by g.memory_id) into deleted_ids from with_duplicates g;
    if deleted_ids is null then
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
    delete from memory.memory_vector v where v.bank_id = bank and v.memory_id = any (deleted_ids);
    perform memory_internal.index_vectors(bank, deleted_ids);
    delete from memory.memory_link l where l.bank_id = bank and l.memory_id = any (deleted_ids);
    delete from memory.memory_link l where l.bank_id = bank and l.linked_id = any (deleted_ids);
    delete from memory.memory_entity n
     using memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = any (deleted_ids) and n.bank_id = bank and n.memory_id = e.memory_id
       and n.entity = any (array(select left(lower(name), 200) from unnest(e.entities) as name));
    delete from memory.idempotency_key k where k.bank_id = bank and k.subject = any (deleted_ids);
    delete from memory.episodic_memory e where e.bank_id = bank and e.memory_id = any (deleted_ids);
    return query select unnest(deleted_ids);
end $$;

-- Deletes episodes for good, by a storage strategy that the bank turned on (promise 4), and what repeats them: their near
-- duplicates, their words, vectors, links, names and raw messages. What was learned from them stays: a fact stands as it
-- stood, and its evidence still counts, by ids and times, an episode that is gone. The event tells that it was deleted, by
-- whom and why. The caller holds the bank's lock. The answer is what was deleted.
create or replace function memory_internal.delete_episodes(
    bank text, memories uuid[], reason text, actor text, at timestamptz default now())
returns setof uuid
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    doomed uuid[];
    known record;
begin
    perform memory_internal.enter_bank(bank);
    with recursive gone as (
        select e.memory_id from memory.episodic_memory e where e.bank_id = bank and e.memory_id = any (memories)
         union
        select e.memory_id
          from gone g
          join memory.episodic_memory e on e.bank_id = bank and e.merged_into_id = g.memory_id
    )
    select array_agg(g.memory_id order by g.memory_id) into doomed from gone g;
    if doomed is null then
        return;
    end if;
    insert into memory.memory_event
        (bank_id, memory_id, memory_type, event, from_status, to_status, reason, actor, at)
    select bank, e.memory_id, 'episodic', 'deleted', e.status, null,
           case when e.memory_id = any (memories) then delete_episodes.reason
                else 'near duplicate of ' || e.merged_into_id || ', which is deleted' end,
           delete_episodes.actor, delete_episodes.at
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = any (doomed)
     order by e.memory_id;
    update memory.message m
       set content = '', name = null, metadata = '{}', expired_at = at
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = any (doomed) and m.bank_id = bank and m.segment_id = e.segment_id
       and m.expired_at is null;
    -- Not recallable any more: that takes their words, and makes their neighbours each other's.
    update memory.episodic_memory e set status = 'deprecated' where e.bank_id = bank and e.memory_id = any (doomed);
    perform memory_internal.index_episode_words(bank, doomed);
    delete from memory.memory_vector v where v.bank_id = bank and v.memory_id = any (doomed);
    perform memory_internal.index_vectors(bank, doomed);
    delete from memory.memory_link l where l.bank_id = bank and l.memory_id = any (doomed);
    delete from memory.memory_link l where l.bank_id = bank and l.linked_id = any (doomed);
    delete from memory.memory_entity n
     using memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = any (doomed) and n.bank_id = bank and n.memory_id = e.memory_id
       and n.entity = any (array(select left(lower(name), 200) from unnest(e.entities) as name));
    delete from memory.episodic_memory e where e.bank_id = bank and e.memory_id = any (doomed);
    return query select unnest(doomed);
end $$;

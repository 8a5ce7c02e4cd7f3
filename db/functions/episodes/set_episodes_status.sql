-- Changes the status of those episodes that are in one of `from_statuses`, records it in memory_event, and returns
-- their number. Episodes that become recallable are indexed by word, others are removed from the index. New episodes
-- get work for their candidate facts, procedures and relational memory; merged ones do as well, because they count as
-- evidence. The emotional thread is updated (update_thread). Locks the rows in the order of their ids.
create or replace function memory_internal.set_episodes_status(
    bank text, memories uuid[], from_statuses text[], to_status text, reason text, actor text,
    at timestamptz default now())
returns integer
language plpgsql as $$
declare
    recallable constant text[] := '{active,archived}';
    in_threads constant text[] := '{active,archived,merged_into}';
    changed_ids uuid[];
begin
    perform memory_internal.enter_bank(bank);
    with matching as materialized (
        select e.memory_id, e.status
          from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = any (memories) and e.status = any (from_statuses)
         order by e.memory_id
           for no key update
    ),
    changed as (
        update memory.episodic_memory e
           set status = to_status
          from matching k
         where e.bank_id = bank and e.memory_id = any (memories) and e.memory_id = k.memory_id
    ),
    recorded as (
        insert into memory.memory_event
            (bank_id, memory_id, memory_type, event, from_status, to_status, reason, actor, at)
        select bank, k.memory_id, 'episodic', 'status', k.status, set_episodes_status.to_status, set_episodes_status.reason,
               set_episodes_status.actor, set_episodes_status.at
          from matching k
         order by k.memory_id
        returning memory_id
    )
    select array_agg(t.memory_id) into changed_ids from recorded t;
    if from_statuses && array['pending_embedding'] and to_status in ('active', 'merged_into') then
        perform memory_internal.enqueue_statements(bank, 'facts', changed_ids, at);
        perform memory_internal.enqueue_relational(bank, changed_ids, at);
        perform memory_internal.enqueue_statements(bank, 'procedures', changed_ids, at);
    end if;
    if changed_ids is not null and (to_status = any (recallable) or from_statuses && recallable) then
        perform memory_internal.index_episode_words(bank, changed_ids);
    end if;
    if changed_ids is not null and not (to_status = any (in_threads) and from_statuses <@ in_threads)
       and (to_status = any (in_threads) or from_statuses && in_threads) then
        perform memory_internal.update_thread(bank, changed_ids);
    end if;
    return coalesce(cardinality(changed_ids), 0);
end $$;

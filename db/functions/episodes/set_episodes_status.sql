-- Changes the status of those that are in one of `from_statuses` and says why in memory_event. What becomes recallable
-- gets its words, what is not recallable any more loses them. What is new is work for the facts that it states: what
-- says something again counts as evidence, too. The answer is how many.
create or replace function memory_internal.set_episodes_status(
    bank text, memories uuid[], from_statuses text[], to_status text, reason text, actor text,
    at timestamptz default now())
returns integer
language plpgsql as $$
declare
    recallable constant text[] := '{active,archived}';
    moved uuid[];
begin
    perform memory_internal.enter_bank(bank);
    with known as materialized (
        select e.memory_id, e.status
          from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = any (memories) and e.status = any (from_statuses)
         order by e.memory_id
           for no key update
    ),
    changed as (
        update memory.episodic_memory e
           set status = to_status
          from known k
         where e.bank_id = bank and e.memory_id = any (memories) and e.memory_id = k.memory_id
    ),
    told as (
        insert into memory.memory_event
            (bank_id, memory_id, memory_type, event, from_status, to_status, reason, actor, at)
        select bank, k.memory_id, 'episodic', 'status', k.status, set_episodes_status.to_status, set_episodes_status.reason,
               set_episodes_status.actor, set_episodes_status.at
          from known k
         order by k.memory_id
        returning memory_id
    )
    select array_agg(t.memory_id) into moved from told t;
    if from_statuses && array['pending_embedding'] and to_status in ('active', 'merged_into') then
        perform memory_internal.enqueue_facts(bank, moved, at);
    end if;
    if moved is not null and (to_status = any (recallable) or from_statuses && recallable) then
        perform memory_internal.index_episode_words(bank, moved);
    end if;
    return coalesce(cardinality(moved), 0);
end $$;

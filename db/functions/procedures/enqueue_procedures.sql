-- Enqueues work of kind 'procedures' for those of the episodes that state procedures (signals) and may become some: not
-- the words of tools and assistants, and not what its sender marked as untrusted (metadata `trusted` false).
create or replace function memory_internal.enqueue_procedures(bank text, episodes uuid[], at timestamptz) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    subjects text[];
    lanes integer[];
begin
    perform memory_internal.enter_bank(bank);
    select array_agg(e.memory_id::text order by e.memory_id),
           array_agg((e.source = 'import')::integer order by e.memory_id)
      into subjects, lanes
      from unnest(episodes) as i (memory_id)
     cross join lateral (select e.memory_id, e.source, e.signals, e.metadata
                           from memory.episodic_memory e
                          where e.bank_id = bank and e.memory_id = i.memory_id
                         offset 0) as e
     where e.signals ? 'procedures' and memory_internal.may_teach(e.source, e.metadata);
    if subjects is not null then
        perform memory_internal.enqueue_new(bank, 'procedures', subjects, lanes, at);
    end if;
end $$;

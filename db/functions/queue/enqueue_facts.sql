-- Enqueues work of kind 'facts' for those of the episodes that have candidate facts; imported episodes go to lane 1.
-- `offset 0` and enable_seqscan = off force index probes whatever the statistics were at planning time: with a
-- backlog of thousands, a table scan per batch would take longer than embedding it.
create or replace function memory_internal.enqueue_facts(bank text, episodes uuid[], at timestamptz) returns void
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
     cross join lateral (select e.memory_id, e.source, e.candidate_facts
                           from memory.episodic_memory e
                          where e.bank_id = bank and e.memory_id = i.memory_id
                         offset 0) as e
     where e.candidate_facts <> '[]';
    if subjects is not null then
        perform memory_internal.enqueue_new(bank, 'facts', subjects, lanes, at);
    end if;
end $$;

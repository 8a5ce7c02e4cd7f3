-- Enqueues work of a kind for those of the episodes that have something for it; imported episodes go to lane 1:
--   facts       candidate facts
--   procedures  procedures that they state (signals): not in the words of tools and assistants, and not in what its
--               sender marked as untrusted (metadata `trusted` false)
-- `offset 0` and enable_seqscan = off force index probes whatever the statistics were at planning time: with a
-- backlog of thousands, a table scan per batch would take longer than embedding it.
create or replace function memory_internal.enqueue_statements(bank text, kind text, episodes uuid[], at timestamptz)
returns void
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
     cross join lateral (select e.memory_id, e.source, e.candidate_facts, e.signals, e.metadata
                           from memory.episodic_memory e
                          where e.bank_id = bank and e.memory_id = i.memory_id
                         offset 0) as e
     where case kind when 'facts' then e.candidate_facts <> '[]'
                     else e.signals ? 'procedures' and memory_internal.may_teach(e.source, e.metadata) end;
    if subjects is not null then
        perform memory_internal.enqueue_new(bank, kind, subjects, lanes, at);
    end if;
end $$;

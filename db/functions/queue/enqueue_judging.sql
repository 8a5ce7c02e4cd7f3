-- Enqueues work of kind 'judge' (pair judging: which facts could these contradict) for facts that are not merged;
-- imported facts go to lane 1.
create or replace function memory_internal.enqueue_judging(bank text, facts uuid[], at timestamptz) returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    subjects text[];
    lanes integer[];
begin
    perform memory_internal.enter_bank(bank);
    select array_agg(f.memory_id::text order by f.memory_id), array_agg((f.source = 'import')::integer order by f.memory_id)
      into subjects, lanes
      from unnest(facts) as i (memory_id)
     cross join lateral (select *
                           from memory.semantic_memory f
                          where f.bank_id = bank and f.memory_id = i.memory_id
                         offset 0) as f
     where f.status <> 'merged_into';
    if subjects is not null then
        perform memory_internal.enqueue_new(bank, 'judge', subjects, lanes, at);
    end if;
end $$;

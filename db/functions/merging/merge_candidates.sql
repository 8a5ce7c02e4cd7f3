-- Facts that may be one, as groups that hang together by a cosine above the merge threshold and are not known to be
-- apart (S1 6.3, stage 1): those in which something has changed since this was last looked at. `verdict` says what is to
-- become of a group: 'merge'; 'doubt', which a model may settle; 'alone', where there is nobody else or nothing to be done.
-- `states` are the members' of now, for memory_api.set_watermark. The texts are for the model.
create or replace function memory_api.merge_candidates(bank text, model text, at timestamptz default now())
returns table (members uuid[], states text[], facts text[], verdict text, winner uuid, reason text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    threshold constant double precision := (select t.merging from memory_api.bank_thresholds(bank, model) as t);
    eligible uuid[];
    state text[];
    changed uuid[];
    seen uuid[] := '{}';
    first uuid;
    frontier uuid[];
begin
    perform memory_internal.enter_bank(bank);
    select array_agg(f.memory_id order by f.memory_id), array_agg(f.state order by f.memory_id),
           array_agg(f.memory_id order by f.memory_id) filter (where f.state is distinct from f.seen)
      into eligible, state, changed
      from (select f.memory_id, n.state as seen,
                   concat_ws('|', model, threshold,
                             (select max(v.version) from memory.fact_version v
                               where v.bank_id = bank and v.fact_id = f.memory_id)) as state
              from memory.semantic_memory f
              left join memory.night_mark n on n.bank_id = bank and n.pass = 'merge' and n.memory_id = f.memory_id
             where f.bank_id = bank and memory_internal.is_mergeable(f)
               and exists (select from memory.memory_vector v
                            where v.bank_id = bank and v.model_id = model and v.memory_id = f.memory_id)) as f;
    foreach first in array coalesce(changed, '{}') loop
        continue when first = any (seen);
        members := array[first];
        frontier := members;
        while frontier <> '{}' loop
            frontier := array(
                select distinct a.other_id
                  from memory_internal.similar_facts(bank, model, frontier, threshold) as a
                 cross join lateral (select f as fact from memory.semantic_memory f
                                      where f.bank_id = bank and f.memory_id = a.memory_id offset 0) as one
                 cross join lateral (select f as fact from memory.semantic_memory f
                                      where f.bank_id = bank and f.memory_id = a.other_id offset 0) as other
                 where a.other_id = any (eligible) and a.other_id <> all (members)
                   and memory_internal.compare_facts(bank, one.fact, other.fact) <> 'apart');
            members := members || frontier;
        end loop;
        seen := seen || members;
        select array_agg(f.memory_id order by f.fact, f.memory_id), array_agg(f.fact order by f.fact, f.memory_id),
               array_agg(state[array_position(eligible, f.memory_id)] order by f.fact, f.memory_id)
          into members, facts, states
          from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id = any (members);
        verdict := 'alone';
        winner := null;
        reason := null;
        if cardinality(members) > 1 then
            select p.winner, p.hindrance,
                   case when p.hindrance is null then 'merge' when p.hindrance = 'doubt' then 'doubt' else 'alone' end
              into winner, reason, verdict
              from memory_internal.plan_merge(bank, members, at) as p;
        end if;
        return next;
    end loop;
end $$;

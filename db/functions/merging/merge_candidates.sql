-- Returns groups of facts that may be the same: connected by cosines at or above the merge threshold and not 'apart'
-- (compare_facts). Only groups in which a fact changed since the pass's watermark are returned. `action` is
-- 'merge'; 'doubt', which a model may decide; 'alone', nothing to merge. `states` are the members' present
-- states for set_watermark; `facts` are the texts for the model. Called by the nightly merge pass.
create or replace function memory_api.merge_candidates(bank text, model text, at timestamptz default now())
returns table (members uuid[], states text[], facts text[], action text, winner uuid, reason text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    threshold constant double precision := (select t.merging from memory_api.bank_thresholds(bank, model) as t);
    eligible uuid[];
    state text[];
    changed uuid[];
    visited uuid[] := '{}';
    seed uuid;
    frontier uuid[];
begin
    perform memory_internal.enter_bank(bank);
    select array_agg(f.memory_id order by f.memory_id), array_agg(f.state order by f.memory_id),
           array_agg(f.memory_id order by f.memory_id) filter (where f.state is distinct from f.visited)
      into eligible, state, changed
      from (select f.memory_id, n.state as visited,
                   concat_ws('|', model, threshold,
                             (select max(v.version) from memory.fact_version v
                               where v.bank_id = bank and v.fact_id = f.memory_id)) as state
              from memory.semantic_memory f
              left join memory.watermark n on n.bank_id = bank and n.pass = 'merge' and n.memory_id = f.memory_id
             where f.bank_id = bank and memory_internal.is_mergeable(f)
               and exists (select from memory.memory_vector v
                            where v.bank_id = bank and v.model_id = model and v.memory_id = f.memory_id)) as f;
    foreach seed in array coalesce(changed, '{}') loop
        continue when seed = any (visited);
        members := array[seed];
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
        visited := visited || members;
        select array_agg(f.memory_id order by f.fact, f.memory_id), array_agg(f.fact order by f.fact, f.memory_id),
               array_agg(state[array_position(eligible, f.memory_id)] order by f.fact, f.memory_id)
          into members, facts, states
          from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id = any (members);
        action := 'alone';
        winner := null;
        reason := null;
        if cardinality(members) > 1 then
            select p.winner, p.hindrance,
                   case when p.hindrance is null then 'merge' when p.hindrance = 'doubt' then 'doubt' else 'alone' end
              into winner, reason, action
              from memory_internal.plan_merge(bank, members, at) as p;
        end if;
        return next;
    end loop;
end $$;

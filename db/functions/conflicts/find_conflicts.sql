-- Finds facts that contradict those of a timeline (or those of them in `facts`) and inserts each pair into
-- fact_conflict once, whatever their periods: effective_conflicts checks the overlap whenever confidence is
-- computed. Returns the number of new pairs. Only facts with the same subject are compared; similarity proposes
-- pairs, a rule decides:
--   fixed      another value of an attribute that never changes (birthday)
--   opposites  the opposite attribute (`opposes`) with the same value (likes, dislikes)
--   others     cosine above the conflict threshold, and contradiction_rules names a reason
-- Facts of the same timeline succeed each other and never conflict. The caller holds the bank lock.
create or replace function memory_internal.find_conflicts(
    bank text, model text, of_timeline text, opposes text, at timestamptz, facts uuid[] default null)
returns integer
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    own_fact memory.semantic_memory;
    near_facts uuid[];
    similarities double precision[];
    found_pairs uuid[];
begin
    perform memory_internal.enter_bank(bank);
    for own_fact in
        select f.*
          from memory.semantic_memory f
         where f.bank_id = bank and f.timeline = of_timeline and f.status <> 'merged_into' and f.retracted_at is null
           and (facts is null or f.memory_id = any (facts))
         order by f.memory_id
    loop
        -- Candidates first, into arrays: contradiction_rules is expensive and the planner overestimates their number.
        select array_agg(n.memory_id), array_agg(n.similarity) into near_facts, similarities
          from (select v.embedding
                  from memory.memory_vector v
                 where v.bank_id = bank and v.model_id = model and v.memory_id = own_fact.memory_id and v.part = 0) as v
         cross join lateral memory_internal.nearest_facts(bank, model, v.embedding, 16) as n
         where n.memory_id <> own_fact.memory_id
           and n.similarity > (select t.conflict from memory_api.bank_thresholds(bank, model) as t);
        with others as materialized (
            select o.memory_id, o.fact, case when o.attribute = opposes then 'opposites' else 'fixed' end as rule,
                   null::double precision as similarity
              from memory.semantic_memory o
             where o.bank_id = bank
               and (o.attribute = opposes and lower(o.value) = lower(own_fact.value)
                    or own_fact.cardinality = 'fixed' and o.attribute = own_fact.attribute)
               and o.timeline <> of_timeline and o.status <> 'merged_into' and o.retracted_at is null
               and lower(o.subject) is not distinct from lower(own_fact.subject)
             union all
            select o.memory_id, o.fact, null, n.similarity
              from unnest(near_facts, similarities) as n (memory_id, similarity)
             cross join lateral (select *
                                   from memory.semantic_memory o
                                  where o.bank_id = bank and o.memory_id = n.memory_id
                                 offset 0) as o
             where o.timeline <> of_timeline and o.status <> 'merged_into' and o.retracted_at is null
               and lower(o.subject) is not distinct from lower(own_fact.subject)
        ),
        pairs as (
            select o.memory_id, o.rule, o.similarity
              from others o
             where o.rule is not null
             union all
            select r.memory_id, r.rule, r.similarity
              from (select array_agg(o.memory_id) as ids, array_agg(o.fact) as texts, array_agg(o.similarity) as cosines
                      from others o
                     where o.rule is null) as c
             cross join lateral unnest(
                   c.ids, memory_internal.contradiction_rules(own_fact.fact, c.texts), c.cosines)
                   as r (memory_id, rule, similarity)
        ),
        written as (
            insert into memory.fact_conflict
                (bank_id, one_id, other_id, rule, handling, found_by, similarity, recorded_at)
            select bank, least(own_fact.memory_id, p.memory_id), greatest(own_fact.memory_id, p.memory_id),
                   coalesce(min(p.rule) filter (where p.similarity is null), min(p.rule)),
                   'newer_wins', 'write', max(p.similarity), at
              from pairs p
             where p.rule is not null
             group by 2, 3
            on conflict on constraint fact_conflict_pkey do nothing
            returning one_id, other_id
        )
        select found_pairs || array_agg(w.one_id) || array_agg(w.other_id) into found_pairs from written w;
    end loop;
    if found_pairs is null then
        return 0;
    end if;
    perform memory_internal.refresh_facts(bank, found_pairs, 'a conflict was found', 'worker', at);
    perform memory_internal.create_clarifications(bank, found_pairs, at);
    return cardinality(found_pairs) / 2;
end $$;

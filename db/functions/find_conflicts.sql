-- Looks for facts that cannot be true beside those of a timeline, and writes each pair once, whatever their times: whether
-- they meet in time is asked whenever they are weighed (memory_api.conflicts_of). Similarity alone is no contradiction:
-- it proposes, rules judge (FACTS of one subject only).
--   fixed      another value of an attribute that does not change (birthday)
--   opposites  the opposite attribute with the same value (likes, dislikes)
--   others     above the model's conflict threshold, and memory_api.incompatible says why
-- Facts of one timeline succeed each other and are in no conflict. The caller holds the bank's lock.
create or replace function memory_api.find_conflicts(
    bank text, model text, line text, opposes text, at timestamptz)
returns integer
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    found_pairs uuid[];
begin
    perform memory_api.enter_bank(bank);
    with mine as materialized (
        select f.memory_id, f.fact, f.subject, f.attribute, f.value, f.cardinality
          from memory.semantic_memory f
         where f.bank_id = bank and f.timeline = line and f.status <> 'merged_into' and f.retracted_at is null
    ),
    pairs as (
        select m.memory_id as one, o.memory_id as other, 'fixed' as rule, null::double precision as similarity
          from mine m
          join memory.semantic_memory o
            on o.bank_id = bank and o.attribute = m.attribute and lower(o.subject) is not distinct from lower(m.subject)
         where m.cardinality = 'fixed' and o.timeline <> line
         union all
        select m.memory_id, o.memory_id, 'opposites', null
          from mine m
          join memory.semantic_memory o
            on o.bank_id = bank and o.attribute = opposes and lower(o.subject) is not distinct from lower(m.subject)
           and lower(o.value) = lower(m.value)
         where o.timeline <> line
         union all
        select m.memory_id, o.memory_id, memory_api.incompatible(m.fact, o.fact), n.similarity
          from mine m
          join memory.memory_vector v
            on v.bank_id = bank and v.model_id = model and v.memory_id = m.memory_id and v.part = 0
          join memory.embedding_model t on t.name = model
         cross join lateral memory_api.near_facts(bank, model, v.embedding, 16) as n
          join memory.semantic_memory o on o.bank_id = bank and o.memory_id = n.memory_id
         where n.similarity > t.conflict_threshold and o.timeline <> line
           and lower(o.subject) is not distinct from lower(m.subject)
    ),
    written as (
        insert into memory.fact_conflict (bank_id, one_id, other_id, rule, handling, found_by, similarity, recorded_at)
        select bank, least(p.one, p.other), greatest(p.one, p.other), min(p.rule), 'newer_wins', 'write',
               max(p.similarity), at
          from pairs p
          join memory.semantic_memory o on o.bank_id = bank and o.memory_id = p.other
         where p.rule is not null and o.status <> 'merged_into' and o.retracted_at is null
         group by 2, 3
        on conflict on constraint fact_conflict_pkey do nothing
        returning one_id, other_id
    )
    select array_agg(w.one_id) || array_agg(w.other_id) into found_pairs from written w;
    if found_pairs is null then
        return 0;
    end if;
    perform memory_api.settle_facts(bank, found_pairs, 'a conflict was found', 'worker', at);
    perform memory_api.ask_about(bank, found_pairs, at);
    return cardinality(found_pairs) / 2;
end $$;

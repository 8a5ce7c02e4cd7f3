-- Returns how these facts would be merged, or why they are not (`hindrance`; docs/design.md, "Facts and time").
-- The merged fact belongs to one timeline, that of the anchor: the member that cannot leave its timeline, because
-- the attribute is single-valued or because other facts succeed each other there; else the winner if it has
-- attribute and value, or the most confident member that has. Facts are not merged if two cannot leave their
-- timelines, or if the merge would move evidence to a time before the anchor, where its timeline has another fact.
create or replace function memory_internal.plan_merge(
    bank text, members uuid[], at timestamptz, out winner uuid, out anchor uuid, out hindrance text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    least_confidence constant double precision := 0.6;
    ranked uuid[];
    with_value uuid[];
    timeline_bound uuid[];
    shares_timeline boolean;
    max_confidence double precision;
begin
    perform memory_internal.enter_bank(bank);
    select array_agg(f.memory_id order by f.confidence_now desc, f.evidence_count desc, f.valid_from, f.fact, f.memory_id),
           max(f.confidence_now), array_agg(f.memory_id order by f.confidence_now desc, f.evidence_count desc,
           f.valid_from, f.fact, f.memory_id)
               filter (where f.attribute is not null and f.value is not null),
           array_agg(f.memory_id) filter (where f.shares_timeline or f.attribute is not null and f.cardinality <> 'many'),
           bool_or(f.shares_timeline)
      into ranked, max_confidence, with_value, timeline_bound, shares_timeline
      from (select m.*,
                   memory_internal.fact_confidence(m, plan_merge.at) as confidence_now,
                   exists (select from memory.semantic_memory o
                            where o.bank_id = bank and o.timeline = m.timeline and o.memory_id <> m.memory_id
                              and o.status <> 'merged_into' and o.retracted_at is null) as shares_timeline
              from memory.semantic_memory m
             where m.bank_id = bank and m.memory_id = any (members) and memory_internal.is_mergeable(m)) as f;
    winner := ranked[1];
    anchor := coalesce(timeline_bound[1], case when winner = any (with_value) then winner end, with_value[1], winner);
    hindrance := case
        when coalesce(cardinality(ranked), 0) < cardinality(members) or cardinality(members) < 2 then 'not open'
        when max_confidence <= least_confidence then 'unsure'
        when exists (
            select from memory.semantic_memory one
              join memory.semantic_memory other
                on other.bank_id = bank and other.memory_id = any (members) and other.memory_id > one.memory_id
             where one.bank_id = bank and one.memory_id = any (members)
               and memory_internal.compare_facts(bank, one, other) <> 'same') then 'doubt'
        when cardinality(timeline_bound) > 1 then 'two timelines'
        when shares_timeline and exists (
            select from memory.semantic_memory o
              join memory.semantic_memory a on a.bank_id = bank and a.memory_id = anchor
             where o.bank_id = bank and o.memory_id = any (members) and o.valid_from < a.valid_from) then 'earlier'
    end;
end $$;

-- How these facts become one, or why they do not (S1 6.3). Each pair has to be the same, one of them surer than 0.6. The
-- surest wins, by its confidence as it is at `at`; of equals that with more evidence, then the older.
-- What is said of the one that they become belongs to one timeline, the anchor's: that of the member which cannot leave its
-- own, because a subject has one of it or because other facts succeed each other there; else the winner's, if it says what
-- about, or that of the surest which does. Two that cannot leave theirs are not merged, nor is what was said of the others
-- before the anchor began, where another fact held until then.
create or replace function memory_internal.plan_merge(
    bank text, members uuid[], at timestamptz, out winner uuid, out anchor uuid, out hindrance text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    least_confidence constant double precision := 0.6;
    ranked uuid[];
    structured uuid[];
    bound uuid[];
    crowded boolean;
    surest double precision;
begin
    perform memory_internal.enter_bank(bank);
    select array_agg(f.memory_id order by f.confident desc, f.evidence_count desc, f.valid_from, f.fact, f.memory_id),
           max(f.confident),
           array_agg(f.memory_id order by f.confident desc, f.evidence_count desc, f.valid_from, f.fact, f.memory_id)
               filter (where f.attribute is not null and f.value is not null),
           array_agg(f.memory_id) filter (where f.crowded or f.attribute is not null and f.cardinality <> 'many'),
           bool_or(f.crowded)
      into ranked, surest, structured, bound, crowded
      from (select m.*,
                   memory_internal.effective_confidence(
                       m.confidence, m.importance, m.last_confirmed, m.status, m.pinned, m.attribute,
                       m.contradicted_at, plan_merge.at) as confident,
                   exists (select from memory.semantic_memory o
                            where o.bank_id = bank and o.timeline = m.timeline and o.memory_id <> m.memory_id
                              and o.status <> 'merged_into' and o.retracted_at is null) as crowded
              from memory.semantic_memory m
             where m.bank_id = bank and m.memory_id = any (members) and memory_internal.is_mergeable(m)) as f;
    winner := ranked[1];
    anchor := coalesce(bound[1], case when winner = any (structured) then winner end, structured[1], winner);
    hindrance := case
        when coalesce(cardinality(ranked), 0) < cardinality(members) or cardinality(members) < 2 then 'not open'
        when surest <= least_confidence then 'unsure'
        when exists (
            select from memory.semantic_memory one
              join memory.semantic_memory other
                on other.bank_id = bank and other.memory_id = any (members) and other.memory_id > one.memory_id
             where one.bank_id = bank and one.memory_id = any (members)
               and memory_internal.compare_facts(bank, one, other) <> 'same') then 'doubt'
        when cardinality(bound) > 1 then 'two timelines'
        when crowded and exists (
            select from memory.semantic_memory o
              join memory.semantic_memory a on a.bank_id = bank and a.memory_id = anchor
             where o.bank_id = bank and o.memory_id = any (members) and o.valid_from < a.valid_from) then 'earlier'
    end;
end $$;

-- Records the results of pair judging, each pair once, and applies them: 'conflict' inserts a fact_conflict, as a
-- rule would; 'successor' ends the older fact where the newer begins (rebuild_timeline). `decisions` are {one, other,
-- similarity, decision, judged_by, texts?}; a pair is skipped if a fact was deleted or reworded meanwhile (`texts` of
-- one and other differ), and judged again by the nightly pass. Completes the work of those `facts` whose lease is still
-- valid. Returns the number of new pairs. Takes the bank lock; the caller must not hold it.
create or replace function memory_api.record_pair_decisions(
    bank text, decisions jsonb, facts uuid[], tokens uuid[], at timestamptz default now())
returns integer
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    decision record;
    new_pairs integer := 0;
    in_conflict uuid[] := '{}';
    affected_timelines text[] := '{}';
    actor text;
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    for decision in
        select least(v.one, v.other) as one, greatest(v.one, v.other) as other, v.similarity, v.decision, v.judged_by
          from jsonb_to_recordset(decisions) as v (
               one uuid, other uuid, similarity double precision, decision text, judged_by text, texts text[])
         where 2 = (select count(*) from memory.semantic_memory f
                     where f.bank_id = bank and f.memory_id in (v.one, v.other) and f.status <> 'merged_into'
                       and f.fact = coalesce(v.texts[case when f.memory_id = v.one then 1 else 2 end], f.fact))
         order by 1, 2
    loop
        insert into memory.fact_pair (bank_id, one_id, other_id, similarity, decision, judged_by, judged_at)
        values (bank, decision.one, decision.other, decision.similarity, decision.decision, decision.judged_by,
                record_pair_decisions.at)
        on conflict on constraint fact_pair_pkey do nothing;
        continue when not found;
        new_pairs := new_pairs + 1;
        actor := decision.judged_by;
        if decision.decision = 'conflict' then
            insert into memory.fact_conflict
                (bank_id, one_id, other_id, rule, handling, found_by, similarity, recorded_at)
            values (bank, decision.one, decision.other, 'judged', 'newer_wins', 'write', decision.similarity,
                    record_pair_decisions.at)
            on conflict on constraint fact_conflict_pkey do nothing;
            in_conflict := in_conflict || decision.one || decision.other;
        elsif decision.decision = 'successor' then
            affected_timelines := affected_timelines || array(
                select f.timeline
                  from memory.semantic_memory f
                 where f.bank_id = bank and f.memory_id in (decision.one, decision.other)
                 order by f.valid_from, f.fact, f.memory_id
                 limit 1);
        end if;
    end loop;
    if in_conflict <> '{}' then
        perform memory_internal.refresh_facts(bank, in_conflict, 'a conflict was judged', actor, at);
        perform memory_internal.create_clarifications(bank, in_conflict, at);
    end if;
    perform memory_internal.rebuild_timelines(bank, affected_timelines, 'superseded by pair judging', actor, at);
    if new_pairs > 0 then
        perform memory_internal.mark_bank_due(bank, 0, at);
    end if;
    perform memory_internal.complete_leases(bank, 'judge', record_pair_decisions.facts::text[], tokens, at);
    return new_pairs;
end $$;

-- Writes what was judged of pairs of facts, each once, and what follows: a conflict is one like those that rules find; of a
-- pair in which one replaced the other the older ends where the newer begins (memory_internal.rebuild_timeline). The work of
-- those `facts` whose lease is still ours is completed. `verdicts` are {one, other, similarity, verdict, judged_by}. The
-- caller does not hold the bank's lock: it is taken here, first. The answer is how many pairs were new.
create or replace function memory_api.record_pair_decisions(
    bank text, verdicts jsonb, facts uuid[], tokens uuid[], at timestamptz default now())
returns integer
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    said record;
    fresh integer := 0;
    in_conflict uuid[] := '{}';
    lines text[] := '{}';
    line text;
    actor text;
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    for said in
        select least(v.one, v.other) as one, greatest(v.one, v.other) as other, v.similarity, v.verdict, v.judged_by
          from jsonb_to_recordset(verdicts) as v (
               one uuid, other uuid, similarity double precision, verdict text, judged_by text)
         where 2 = (select count(*) from memory.semantic_memory f
                     where f.bank_id = bank and f.memory_id in (v.one, v.other) and f.status <> 'merged_into')
         order by 1, 2
    loop
        insert into memory.fact_pair (bank_id, one_id, other_id, similarity, verdict, judged_by, judged_at)
        values (bank, said.one, said.other, said.similarity, said.verdict, said.judged_by, record_pair_decisions.at)
        on conflict on constraint fact_pair_pkey do nothing;
        continue when not found;
        fresh := fresh + 1;
        actor := said.judged_by;
        if said.verdict = 'conflict' then
            insert into memory.fact_conflict
                (bank_id, one_id, other_id, rule, handling, found_by, similarity, recorded_at)
            values (bank, said.one, said.other, 'judged', 'newer_wins', 'write', said.similarity, record_pair_decisions.at)
            on conflict on constraint fact_conflict_pkey do nothing;
            in_conflict := in_conflict || said.one || said.other;
        elsif said.verdict = 'successor' then
            lines := lines || array(
                select f.timeline
                  from memory.semantic_memory f
                 where f.bank_id = bank and f.memory_id in (said.one, said.other)
                 order by f.valid_from, f.fact, f.memory_id
                 limit 1);
        end if;
    end loop;
    if in_conflict <> '{}' then
        perform memory_internal.refresh_facts(bank, in_conflict, 'a conflict was judged', actor, at);
        perform memory_internal.create_clarifications(bank, in_conflict, at);
    end if;
    for line in select distinct l from unnest(lines) as l order by l loop
        perform memory_internal.rebuild_timeline(bank, line, 'replaced, as was judged', actor, at);
    end loop;
    if fresh > 0 then
        perform memory_internal.mark_bank_due(bank, 0, at);
    end if;
    perform memory_internal.complete_leases(bank, 'judge', record_pair_decisions.facts::text[], tokens, at);
    return fresh;
end $$;

-- Merges these facts into one if plan_merge still allows it. The winner keeps its row and words and receives the
-- losers' evidence; the losers become merged_into. The winner moves to the anchor's timeline, so that a later
-- statement there closes it. Returns the losers, empty if the facts changed meanwhile or were merged concurrently.
-- Called by the nightly merge pass. Takes the bank lock, then the rows in the order of their ids.
create or replace function memory_api.merge_facts(
    bank text, members uuid[], actor text, at timestamptz default now())
returns uuid[]
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    plan record;
    losers uuid[];
    judging_model text;
    winner_timeline text;
    this_merge bigint;
begin
    perform memory_internal.lock_bank(bank);
    perform from memory.semantic_memory f
      where f.bank_id = bank and f.memory_id = any (members)
      order by f.memory_id
        for no key update;
    select * into plan from memory_internal.plan_merge(bank, members, at);
    if plan.hindrance is not null then
        return '{}';
    end if;
    losers := array(select m from unnest(members) as m where m <> plan.winner order by m);
    select min(v.decided_by) into judging_model
      from memory.merge_decision v
     where v.bank_id = bank and v.same and v.one_id = any (members) and v.other_id = any (members);
    update memory.semantic_memory f
       set status = 'merged_into', merged_into_id = plan.winner, superseded_by = null
     where f.bank_id = bank and f.memory_id = any (losers);
    insert into memory.fact_merge (bank_id, loser_id, winner_id, reason, actor, recorded_at, winner_before)
    select bank, l, plan.winner, coalesce('judged by ' || judging_model, 'the same by rule'), merge_facts.actor,
    merge_facts.at,
           case when l = plan.anchor then (
               select jsonb_build_object(
                          'subject', w.subject, 'attribute', w.attribute, 'value', w.value, 'cardinality', w.cardinality,
                          'timeline', w.timeline,
                          'episodes', (select coalesce(jsonb_agg(e.episode_id), '[]') from memory.fact_evidence e
                                        where e.bank_id = bank and e.fact_id = w.memory_id),
                          'judgements', (select coalesce(jsonb_agg(j.judgement_id), '[]') from memory.fact_judgement j
                                          where j.bank_id = bank and j.fact_id = w.memory_id))
                 from memory.semantic_memory w
                where w.bank_id = bank and w.memory_id = plan.winner) end
      from unnest(losers) as l
     order by l;
    update memory.semantic_memory w
       set subject = a.subject, attribute = a.attribute, value = a.value, cardinality = a.cardinality, timeline = a.timeline
      from memory.semantic_memory a
     where w.bank_id = bank and w.memory_id = plan.winner and a.bank_id = bank and a.memory_id = plan.anchor
       and plan.anchor <> plan.winner;
    for this_merge in
        select m.merge_id
          from memory.fact_merge m
         where m.bank_id = bank and m.loser_id = any (losers) and m.undone_at is null
         order by m.loser_id
    loop
        perform memory_internal.transfer_evidence(bank, this_merge);
    end loop;
    select f.timeline into winner_timeline
      from memory.semantic_memory f
     where f.bank_id = bank and f.memory_id = plan.winner;
    perform memory_internal.rebuild_timeline(bank, winner_timeline, 'merged', merge_facts.actor, merge_facts.at);
    perform memory_internal.refresh_facts(bank, losers, 'merged', merge_facts.actor, merge_facts.at);
    return losers;
end $$;

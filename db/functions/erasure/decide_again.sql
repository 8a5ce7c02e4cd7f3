-- Repeats the judgements on facts that lost a conflict (withdraw_decisions), in order, on the periods that the
-- remaining statements make: statements from after the decision are separated first. If no period of the fact or of its
-- rival covers the time of the decision, there was no conflict. Called by erase_facts after it has rebuilt the
-- timelines. The caller holds the bank lock.
create or replace function memory_internal.decide_again(
    bank text, lost memory.fact_judgement[], reason text, actor text, at timestamptz)
returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    judgement memory.fact_judgement;
    decided_at timestamptz;
    loser uuid;
    kept uuid;
    later uuid;
begin
    perform memory_internal.enter_bank(bank);
    foreach judgement in array coalesce(lost, '{}') loop
        decided_at := memory_internal.decision_time(judgement);
        select (array_agg(c.memory_id order by c.nth) filter (where c.named = judgement.fact_id))[1],
               (array_agg(c.memory_id order by c.nth) filter (where c.named = judgement.rival_id))[1]
          into loser, kept
          from (select k.memory_id as named, f.memory_id, row_number() over (order by f.valid_from, f.memory_id) as nth
                  from memory.semantic_memory k
                  join memory.semantic_memory f
                    on f.bank_id = bank and f.timeline = k.timeline and lower(f.value) is not distinct from lower(k.value)
                 where k.bank_id = bank and k.memory_id in (judgement.fact_id, judgement.rival_id)
                   and f.status <> 'merged_into' and f.retracted_at is null and f.valid_from <= decided_at
                   and coalesce(f.valid_to, 'infinity') > decided_at) as c;
        continue when loser is null or kept is null;
        -- The confirmation made with it names the fact that loses now: the earlier one may be merged, and erased later.
        update memory.fact_judgement j
           set rival_id = loser
         where j.bank_id = bank and j.recorded_at = judgement.recorded_at and j.judgement = 'confirmed'
           and j.rival_id = judgement.fact_id and j.rival_id <> loser;
        if exists (select from memory.fact_evidence v
                    where v.bank_id = bank and v.fact_id = loser and v.occurred_at > decided_at) then
            later := memory_internal.split_fact(bank, loser, at);
            update memory.fact_evidence v
               set fact_id = later
             where v.bank_id = bank and v.fact_id = loser and v.occurred_at > decided_at;
            update memory.fact_judgement j
               set fact_id = later
             where j.bank_id = bank and j.fact_id = loser and j.occurred_at > decided_at;
            perform memory_internal.refresh_facts(bank, array[loser, later], reason, actor, at);
        end if;
        update memory.semantic_memory f
           set valid_to = null, superseded_by = null
         where f.bank_id = bank and f.memory_id = loser and f.valid_to is not null;
        perform memory_internal.rebuild_timeline(bank, memory_internal.supersede_or_retract(
            bank, loser, kept, judgement.actor, decided_at, judgement.recorded_at, judgement.segment_id),
            reason, actor, at);
    end loop;
end $$;

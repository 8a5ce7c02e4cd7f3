-- Withdraws decisions of conflicts that have lost their ground: decided by a reply or statement in one of these
-- segments, or between facts of which one was not valid then (was_valid), in the order of their times, because an
-- earlier decision may have ended a fact. Their judgements are deleted, retractions undone,
-- conflicts and questions open again. Of the others the judgements on the facts that lost are withdrawn too, and
-- returned in `lost`: whether such a fact ended, and when, or was retracted, depends on the statements (decide_again).
-- Adds the timelines of these facts to `timelines`, which the caller rebuilds. Called by erase_facts when the
-- statements and the facts in `removed` are deleted. The caller holds the bank lock.
create or replace function memory_internal.withdraw_decisions(
    bank text, segments uuid[], removed uuid[], inout timelines text[], out lost memory.fact_judgement[])
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    decided record;
    withdrawn bigint[] := '{}';
    facts uuid[] := '{}';
begin
    perform memory_internal.enter_bank(bank);
    for decided in
        select j, memory_internal.decision_time(j) as decided_at
          from memory.fact_judgement j
          join memory.semantic_memory f on f.bank_id = bank and f.memory_id = j.fact_id
          left join memory.semantic_memory r on r.bank_id = bank and r.memory_id = j.rival_id
         where j.bank_id = bank and j.rival_id is not null
           and (j.segment_id = any (segments) or j.rival_id = any (removed) or f.timeline = any (timelines)
                or r.timeline = any (timelines))
         order by decided_at, j.judgement_id
    loop
        facts := facts || (decided.j).fact_id || (decided.j).rival_id;
        if (decided.j).segment_id = any (segments)
           or not memory_internal.was_valid(bank, (decided.j).fact_id, decided.decided_at, withdrawn)
           or not memory_internal.was_valid(bank, (decided.j).rival_id, decided.decided_at, withdrawn) then
            withdrawn := withdrawn || (decided.j).judgement_id;
        elsif (decided.j).judgement in ('ended', 'retracted') then
            lost := lost || decided.j;
        end if;
    end loop;
    update memory.fact_conflict c
       set resolution = null, kept_id = null, resolved_at = null, resolved_by = null, segment_id = null
      from memory.fact_judgement j
     where c.bank_id = bank and j.bank_id = bank and j.judgement_id = any (withdrawn) and c.resolved_at = j.recorded_at
       and c.one_id in (j.fact_id, j.rival_id) and c.other_id in (j.fact_id, j.rival_id);
    update memory.clarification q
       set status = 'void', kept_id = null, answered_at = null, answer = null, actor = null
      from memory.fact_judgement j
     where q.bank_id = bank and j.bank_id = bank and j.judgement_id = any (withdrawn) and q.answered_at = j.recorded_at
       and q.one_id in (j.fact_id, j.rival_id) and q.other_id in (j.fact_id, j.rival_id);
    delete from memory.fact_judgement j
     where j.bank_id = bank
       and j.judgement_id = any (withdrawn || array(select (l).judgement_id from unnest(lost) as l));
    update memory.semantic_memory f
       set retracted_at = null
     where f.bank_id = bank and f.memory_id = any (facts) and f.retracted_at is not null
       and not exists (select from memory.fact_judgement j
                        where j.bank_id = bank and j.fact_id = f.memory_id and j.judgement = 'retracted');
    timelines := array(
        select t from unnest(timelines) as t
         union select f.timeline from memory.semantic_memory f where f.bank_id = bank and f.memory_id = any (facts)
         order by 1);
end $$;

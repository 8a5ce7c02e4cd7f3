-- Records a judgement on a fact: confirmed, disputed, retracted (was wrong, unlike superseded), pinned or unpinned.
-- Returns the fact, or no row if it does not exist. Called by POST /facts/{id}/confirm and the like. Pinning,
-- unpinning or retracting again changes nothing; each confirmation and dispute counts. Raises ME007 for a retracted
-- or merged fact. Takes the bank lock.
-- Confirming a superseded fact states that it is true again: it gets a new period, a new fact, which is returned;
-- the fact of another timeline that replaced it ends.
-- Confirming, disputing or retracting resolves the fact's open conflicts and answers their questions: the confirmed
-- fact is kept, else the other one. The loser to a confirmed fact ends or is retracted (supersede_or_retract); the
-- counterpart of a disputed or retracted fact is not changed.
-- Retracting a fact also removes the norms that rest on the same statements (remove_norms_of_fact).
create or replace function memory_api.review_fact(
    bank text, memory uuid, judgement text, actor text, at timestamptz default now())
returns setof memory_api.fact_entry
language plpgsql as $$
declare
    reviewed memory.semantic_memory;
    this_judgement bigint;
    rival uuid;
    reopened_fact uuid;
    lost_timelines text[] := '{}';
    successor memory.semantic_memory;
begin
    perform memory_internal.lock_bank(bank);
    select f.* into reviewed from memory.semantic_memory f where f.bank_id = bank and f.memory_id = memory;
    if not found then
        return;
    end if;
    if judgement = 'pinned' and reviewed.pinned or judgement = 'unpinned' and not reviewed.pinned
       or judgement = 'retracted' and reviewed.retracted_at is not null then
        return query select * from memory_api.read_fact(bank, memory, at);
        return;
    end if;
    if reviewed.status = 'merged_into' then
        raise exception using errcode = 'ME007', message = 'merged into ' || reviewed.merged_into_id;
    elsif reviewed.retracted_at is not null then
        raise exception using errcode = 'ME007', message = 'retracted';
    end if;
    insert into memory.fact_judgement (bank_id, fact_id, judgement, occurred_at, recorded_at, actor)
    values (bank, memory, review_fact.judgement, at, at, review_fact.actor)
    returning judgement_id into this_judgement;
    if judgement in ('pinned', 'unpinned') then
        update memory.semantic_memory f
           set pinned = judgement = 'pinned', dropped_at = case when judgement = 'unpinned' then f.dropped_at end
         where f.bank_id = bank and f.memory_id = memory;
    elsif judgement = 'retracted' then
        update memory.semantic_memory f
           set status = 'deprecated', retracted_at = at, superseded_by = null
         where f.bank_id = bank and f.memory_id = memory;
        perform memory_internal.remove_norms_of_fact(bank, memory, review_fact.actor, at);
    end if;
    if judgement in ('confirmed', 'disputed', 'retracted') then
        for rival in
            select case when c.one_id = memory then c.other_id else c.one_id end
              from memory.fact_conflict c
             where c.bank_id = bank and (c.one_id = memory or c.other_id = memory) and c.resolution is null
             order by 1
        loop
            perform memory_internal.resolve_conflict(
                bank, memory, rival, case when judgement = 'confirmed' then memory else rival end, actor, at);
            if judgement = 'confirmed' then
                lost_timelines := lost_timelines || memory_internal.supersede_or_retract(bank, rival, memory,
                                                                                         review_fact.actor, at, at);
            end if;
        end loop;
    end if;
    perform memory_internal.rebuild_timeline(bank, reviewed.timeline, judgement, review_fact.actor, at);
    perform memory_internal.rebuild_timelines(
        bank, array_remove(lost_timelines, reviewed.timeline), 'a conflicting fact was confirmed', review_fact.actor,
        at);
    if judgement = 'confirmed' and reviewed.valid_to is not null then
        select j.fact_id into reopened_fact
          from memory.fact_judgement j
         where j.bank_id = bank and j.judgement_id = this_judgement;
        rival := reviewed.superseded_by;
        for _ in 1..16 loop
            select f.* into successor from memory.semantic_memory f where f.bank_id = bank and f.memory_id = rival;
            exit when not found or successor.timeline = reviewed.timeline;
            if successor.valid_to is null and successor.retracted_at is null and successor.status <> 'merged_into' then
                insert into memory.fact_judgement
                    (bank_id, fact_id, judgement, occurred_at, recorded_at, actor, rival_id)
                values (bank, rival, 'ended', at, at, review_fact.actor, reopened_fact);
                update memory.semantic_memory f
                   set valid_to = review_fact.at, superseded_by = reopened_fact
                 where f.bank_id = bank and f.memory_id = rival;
                perform memory_internal.rebuild_timeline(
                    bank, successor.timeline, 'its predecessor was confirmed', review_fact.actor, at);
                exit;
            end if;
            rival := successor.superseded_by;
        end loop;
    end if;
    perform memory_internal.mark_bank_due(bank, 0, at);
    return query
        select e.*
          from memory.fact_judgement j
         cross join lateral memory_api.read_fact(bank, j.fact_id, at) as e
         where j.bank_id = bank and j.judgement_id = this_judgement;
end $$;

-- What somebody says of a fact as such: confirmed, disputed, retracted (it was wrong, which is not superseded: it was
-- true), pinned or unpinned. The answer is the fact as it is then, or no row where there is none. Pinning, unpinning or
-- retracting again changes nothing; each confirmation and each dispute counts. Of a retracted or merged fact nothing more
-- is said (ME007). Who confirms what was superseded says that it is true again: it gets a later time, as a fact of its own,
-- which is then the answer; what had replaced it on another timeline, by an answer or as was judged, ends there.
-- Confirming, disputing or retracting a fact settles the conflicts that it is in, and answers the questions about them: the
-- confirmed one is kept, or the other one of the two. What loses to a confirmed one ends or is retracted, as by an answer
-- (memory_internal.supersede_or_retract); next to a disputed or retracted one the other stands as it stood.
create or replace function memory_api.review_fact(
    bank text, memory uuid, verdict text, actor text, at timestamptz default now())
returns setof memory_api.fact_entry
language plpgsql as $$
declare
    known memory.semantic_memory;
    said bigint;
    rival uuid;
    back uuid;
    lost_lines text[] := '{}';
    line text;
    after memory.semantic_memory;
begin
    perform memory_internal.require_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    select f.* into known from memory.semantic_memory f where f.bank_id = bank and f.memory_id = memory;
    if not found then
        return;
    end if;
    if verdict = 'pinned' and known.pinned or verdict = 'unpinned' and not known.pinned
       or verdict = 'retracted' and known.retracted_at is not null then
        return query select * from memory_api.read_fact(bank, memory, at);
        return;
    end if;
    if known.status = 'merged_into' then
        raise exception using errcode = 'ME007', message = 'merged into ' || known.merged_into_id;
    elsif known.retracted_at is not null then
        raise exception using errcode = 'ME007', message = 'retracted';
    end if;
    insert into memory.fact_judgement (bank_id, fact_id, verdict, occurred_at, recorded_at, actor)
    values (bank, memory, review_fact.verdict, at, at, review_fact.actor)
    returning judgement_id into said;
    if verdict in ('pinned', 'unpinned') then
        update memory.semantic_memory f
           set pinned = verdict = 'pinned', dropped_at = case when verdict = 'unpinned' then f.dropped_at end
         where f.bank_id = bank and f.memory_id = memory;
    elsif verdict = 'retracted' then
        update memory.semantic_memory f
           set status = 'deprecated', retracted_at = at, superseded_by = null
         where f.bank_id = bank and f.memory_id = memory;
    end if;
    if verdict in ('confirmed', 'disputed', 'retracted') then
        for rival in
            select case when c.one_id = memory then c.other_id else c.one_id end
              from memory.fact_conflict c
             where c.bank_id = bank and (c.one_id = memory or c.other_id = memory) and c.resolution is null
             order by 1
        loop
            perform memory_internal.resolve_conflict(
                bank, memory, rival, case when verdict = 'confirmed' then memory else rival end, actor, at);
            if verdict = 'confirmed' then
                lost_lines := lost_lines || memory_internal.supersede_or_retract(bank, rival, memory, review_fact.actor, at, at);
            end if;
        end loop;
    end if;
    perform memory_internal.rebuild_timeline(bank, known.timeline, verdict, review_fact.actor, at);
    for line in select distinct l from unnest(lost_lines) as l where l <> known.timeline order by l loop
        perform memory_internal.rebuild_timeline(bank, line, 'the other was confirmed', review_fact.actor, at);
    end loop;
    if verdict = 'confirmed' and known.valid_to is not null then
        select j.fact_id into back from memory.fact_judgement j where j.bank_id = bank and j.judgement_id = said;
        rival := known.superseded_by;
        for _ in 1..16 loop
            select f.* into after from memory.semantic_memory f where f.bank_id = bank and f.memory_id = rival;
            exit when not found or after.timeline = known.timeline;
            if after.valid_to is null and after.retracted_at is null and after.status <> 'merged_into' then
                insert into memory.fact_judgement (bank_id, fact_id, verdict, occurred_at, recorded_at, actor)
                values (bank, rival, 'ended', at, at, review_fact.actor);
                update memory.semantic_memory f
                   set valid_to = review_fact.at, superseded_by = back
                 where f.bank_id = bank and f.memory_id = rival;
                perform memory_internal.rebuild_timeline(
                    bank, after.timeline, 'what it had replaced is true again', review_fact.actor, at);
                exit;
            end if;
            rival := after.superseded_by;
        end loop;
    end if;
    perform memory_internal.mark_bank_due(bank, 0, at);
    return query
        select e.*
          from memory.fact_judgement j
         cross join lateral memory_api.read_fact(bank, j.fact_id, at) as e
         where j.bank_id = bank and j.judgement_id = said;
end $$;

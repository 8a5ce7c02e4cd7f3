-- Brings facts to what memory_internal.compute_confidence says of them, and keeps every state that this makes: a version where
-- anything changed, an event where the status did. The caller holds the bank's lock.
--   deprecated  retracted (it was wrong), dropped to make room and nothing more known since, or a confidence below the
--               bank's deprecation_confidence (S1: 0.3): what it comes to, or what had become of that when
--               memory_api.fade_facts last looked. Whatever makes it more than that brings the fact back.
--   stable      three episodes, and no conflict open
--   tentative   all others
-- A fact that was superseded keeps its status: it was true, and is closed by valid_to.
create or replace function memory_internal.refresh_facts(
    bank text, facts uuid[], reason text, actor text, at timestamptz default now())
returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    known memory.semantic_memory;
    latest memory.fact_version;
    weighed record;
    becomes text;
    dropped timestamptz;
    least_confidence double precision;
begin
    perform memory_internal.enter_bank(bank);
    select memory_internal.deprecation_confidence(b.settings) into least_confidence
      from memory.bank b
     where b.bank_id = bank;
    for known in
        select f.*
          from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id = any (facts)
         order by f.memory_id
           for no key update
    loop
        select * into weighed from memory_internal.compute_confidence(bank, known.memory_id);
        dropped := case when weighed.evidence_count > known.evidence_count or weighed.last_confirmed > known.last_confirmed
                        then null else known.dropped_at end;
        becomes := case
            when known.merged_into_id is not null then 'merged_into'
            when known.retracted_at is not null or dropped is not null or weighed.confidence < least_confidence then 'deprecated'
            when weighed.evidence_count >= 3 and not weighed.contested then 'stable'
            else 'tentative'
        end;
        if weighed.confidence is null then  -- all that it had went to the one that it was merged into
            weighed.confidence := known.confidence;
            weighed.evidence_count := 0;
        end if;
        if known.faded_at is not null and becomes in ('tentative', 'stable') then
            if memory_internal.effective_confidence(
                   weighed.confidence,
                   case when known.given ? 'importance' then greatest(known.importance, weighed.importance)
                        else coalesce(weighed.importance, known.importance) end,
                   coalesce(weighed.last_confirmed, known.last_confirmed), becomes, known.pinned, known.attribute,
                   weighed.contradicted_at, known.faded_at) < least_confidence then
                becomes := 'deprecated';
            else
                known.faded_at := null;
            end if;
        end if;
        update memory.semantic_memory f
           set status = becomes,
               dropped_at = dropped,
               faded_at = known.faded_at,
               confidence = weighed.confidence,
               contradicted_at = weighed.contradicted_at,
               evidence_count = weighed.evidence_count,
               importance = case when f.given ? 'importance' then greatest(f.importance, weighed.importance)
                                 else coalesce(weighed.importance, f.importance) end,
               first_observed = coalesce(weighed.first_observed, f.first_observed),
               last_confirmed = coalesce(weighed.last_confirmed, f.last_confirmed),
               occurred_at = coalesce(weighed.last_confirmed, f.last_confirmed)
         where f.bank_id = bank and f.memory_id = known.memory_id
        returning * into known;
        select v.* into latest
          from memory.fact_version v
         where v.bank_id = bank and v.fact_id = known.memory_id
         order by v.version desc
         limit 1;
        continue when latest.version is not null and
            (latest.fact, latest.status, latest.confidence, latest.importance, latest.evidence_count, latest.first_observed,
             latest.last_confirmed, latest.valid_from, latest.valid_to, latest.superseded_by, latest.merged_into_id,
             latest.pinned, latest.retracted_at, latest.contradicted_at)
            is not distinct from
            (known.fact, known.status, known.confidence, known.importance, known.evidence_count, known.first_observed,
             known.last_confirmed, known.valid_from, known.valid_to, known.superseded_by, known.merged_into_id,
             known.pinned, known.retracted_at, known.contradicted_at);
        insert into memory.fact_version
            (bank_id, fact_id, version, fact, status, confidence, importance, evidence_count, first_observed,
             last_confirmed, valid_from, valid_to, superseded_by, merged_into_id, pinned, retracted_at,
             contradicted_at, reason, actor, at)
        values (bank, known.memory_id, coalesce(latest.version, 0) + 1, known.fact, known.status, known.confidence,
                known.importance, known.evidence_count, known.first_observed, known.last_confirmed, known.valid_from,
                known.valid_to, known.superseded_by, known.merged_into_id, known.pinned, known.retracted_at,
                known.contradicted_at, refresh_facts.reason, refresh_facts.actor, refresh_facts.at);
        if latest.version is null or latest.status <> known.status or latest.fact <> known.fact
           or latest.valid_to is distinct from known.valid_to then
            insert into memory.memory_event
                (bank_id, memory_id, memory_type, event, from_status, to_status, reason, actor, at)
            values (bank, known.memory_id, 'semantic',
                    case when latest.version is null then 'created'
                         when latest.status <> known.status then 'status'
                         when latest.fact <> known.fact then 'text'
                         when known.valid_to is null then 'reopened'
                         when known.superseded_by is null then 'ended'
                         else 'superseded' end,
                    latest.status, known.status, refresh_facts.reason, refresh_facts.actor, refresh_facts.at);
        end if;
    end loop;
end $$;

-- Updates facts from compute_confidence and records every change: a version if anything changed, an event if the
-- status, text or period did. Locks the rows in the order of their ids; the caller holds the bank lock.
--   deprecated  retracted (was wrong), dropped to make room without newer evidence, or a confidence below the bank's
--               deprecation_confidence (0.3), now or, decayed, at the last fade_facts run; any later rise above it
--               restores the fact
--   stable      three episodes and no open conflict
--   tentative   all others
-- A superseded fact keeps its status: it was true, and valid_to closes it.
create or replace function memory_internal.refresh_facts(
    bank text, facts uuid[], reason text, actor text, at timestamptz default now())
returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    fact_row memory.semantic_memory;
    last_version memory.fact_version;
    computed record;
    new_status text;
    still_dropped_at timestamptz;
    least_confidence constant double precision :=
        memory_internal.deprecation_confidence(memory_internal.bank_settings(bank));
begin
    for fact_row in
        select f.*
          from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id = any (facts)
         order by f.memory_id
           for no key update
    loop
        select * into computed from memory_internal.compute_confidence(bank, fact_row.memory_id);
        still_dropped_at := case
            when computed.evidence_count > fact_row.evidence_count
                 or computed.last_confirmed > fact_row.last_confirmed then null
            else fact_row.dropped_at end;
        new_status := case
            when fact_row.merged_into_id is not null then 'merged_into'
            when fact_row.retracted_at is not null or still_dropped_at is not null
                or computed.confidence < least_confidence then 'deprecated'
            when computed.evidence_count >= memory_internal.stable_evidence() and not computed.contested then 'stable'
            else 'tentative'
        end;
        if computed.confidence is null then  -- all evidence moved to the merge winner
            computed.confidence := fact_row.confidence;
            computed.evidence_count := 0;
        end if;
        if fact_row.faded_at is not null and new_status in ('tentative', 'stable') then
            if memory_internal.effective_confidence(
                   computed.confidence,
                   memory_internal.fact_importance(fact_row.given, fact_row.importance, computed.importance),
                   coalesce(computed.last_confirmed, fact_row.last_confirmed), new_status, fact_row.pinned,
                   memory_internal.decay_attribute(fact_row.attribute, fact_row.extracted_by),
                   computed.contradicted_at, fact_row.faded_at) < least_confidence then
                new_status := 'deprecated';
            else
                fact_row.faded_at := null;
            end if;
        end if;
        update memory.semantic_memory f
           set status = new_status,
               dropped_at = still_dropped_at,
               faded_at = fact_row.faded_at,
               confidence = computed.confidence,
               contradicted_at = computed.contradicted_at,
               evidence_count = computed.evidence_count,
               importance = memory_internal.fact_importance(f.given, f.importance, computed.importance),
               first_observed = coalesce(computed.first_observed, f.first_observed),
               last_confirmed = coalesce(computed.last_confirmed, f.last_confirmed),
               occurred_at = coalesce(computed.last_confirmed, f.last_confirmed)
         where f.bank_id = bank and f.memory_id = fact_row.memory_id
        returning * into fact_row;
        select v.* into last_version
          from memory.fact_version v
         where v.bank_id = bank and v.fact_id = fact_row.memory_id
         order by v.version desc
         limit 1;
        continue when last_version.version is not null and
            (last_version.fact, last_version.status, last_version.confidence, last_version.importance,
             last_version.evidence_count, last_version.first_observed, last_version.last_confirmed,
             last_version.valid_from, last_version.valid_to, last_version.superseded_by,
             last_version.merged_into_id, last_version.pinned, last_version.retracted_at, last_version.contradicted_at)
            is not distinct from
            (fact_row.fact, fact_row.status, fact_row.confidence, fact_row.importance, fact_row.evidence_count,
             fact_row.first_observed, fact_row.last_confirmed, fact_row.valid_from, fact_row.valid_to,
             fact_row.superseded_by, fact_row.merged_into_id, fact_row.pinned, fact_row.retracted_at,
             fact_row.contradicted_at);
        insert into memory.fact_version
            (bank_id, fact_id, version, fact, status, confidence, importance, evidence_count, first_observed,
             last_confirmed, valid_from, valid_to, superseded_by, merged_into_id, pinned, retracted_at,
             contradicted_at, reason, actor, at)
        values (bank, fact_row.memory_id, coalesce(last_version.version, 0) + 1, fact_row.fact, fact_row.status,
                fact_row.confidence, fact_row.importance, fact_row.evidence_count, fact_row.first_observed,
                fact_row.last_confirmed, fact_row.valid_from, fact_row.valid_to, fact_row.superseded_by,
                fact_row.merged_into_id, fact_row.pinned, fact_row.retracted_at,
                fact_row.contradicted_at, refresh_facts.reason, refresh_facts.actor, refresh_facts.at);
        if last_version.version is null or last_version.status <> fact_row.status or last_version.fact <> fact_row.fact
           or last_version.valid_to is distinct from fact_row.valid_to then
            insert into memory.memory_event
                (bank_id, memory_id, memory_type, event, from_status, to_status, reason, actor, at)
            values (bank, fact_row.memory_id, 'semantic',
                    case when last_version.version is null then 'created'
                         when last_version.status <> fact_row.status then 'status'
                         when last_version.valid_to is not distinct from fact_row.valid_to then 'text'
                         when fact_row.valid_to is null then 'reopened'
                         when fact_row.superseded_by is null then 'ended'
                         else 'superseded' end,
                    last_version.status, fact_row.status, refresh_facts.reason, refresh_facts.actor, refresh_facts.at);
        end if;
    end loop;
end $$;

-- Returns one page of facts, last confirmed first: valid at `as_of`, with the confidence decayed to then; with
-- `known_at`, according to the versions known at that time. A missing time is the other one, else now.
-- Tentative and stable facts are listed if valid at `as_of`, superseded ones included; facts that faded or were
-- dropped only later count with the status they had. Deprecated (also retracted) and merged facts are listed only if
-- their status is in `statuses`, whatever the time.
create or replace function memory_api.list_facts(
    bank text, page integer, as_of timestamptz default null, known_at timestamptz default null,
    statuses text[] default null, after_at timestamptz default null, after_id uuid default null)
returns setof memory_api.fact_entry
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    requested_statuses constant text[] := coalesce(statuses, array['tentative', 'stable']);
    valid_at constant timestamptz := coalesce(as_of, known_at, now());
    least_confidence constant double precision :=
        memory_internal.deprecation_confidence(memory_internal.bank_settings(bank));
    entry memory_api.fact_entry;
begin
    perform memory_internal.require_bank(bank);
    if known_at is null then
        for entry in
            select e.*
              from memory_api.fact_entry e
              join memory.semantic_memory f using (bank_id, memory_id)
             where e.bank_id = bank
               and (e.status = any (requested_statuses) and e.status in ('deprecated', 'merged_into')
                    or (e.status = any (requested_statuses)
                        or 'tentative' = any (requested_statuses) and memory_internal.was_believed_later(f, valid_at)
                           and f.confidence >= least_confidence)
                       and e.valid_from <= valid_at and (e.valid_to is null or e.valid_to > valid_at))
               and (after_id is null or (e.last_confirmed, e.memory_id) < (after_at, after_id))
             order by e.last_confirmed desc, e.memory_id desc
             limit page
        loop
            entry.status := case when entry.status = any (requested_statuses) then entry.status
                                 when entry.evidence_count >= memory_internal.stable_evidence() then 'stable'
                                 else 'tentative' end;
            entry.confidence := memory_internal.effective_confidence(
                entry.confidence, entry.importance, entry.last_confirmed, entry.status, entry.pinned,
                memory_internal.decay_attribute(entry.attribute, entry.extracted_by), entry.contradicted_at, valid_at);
            return next entry;
        end loop;
        return;
    end if;
    return query
        select f.bank_id, f.memory_id, v.fact, memory_internal.display_subject(bank, f.subject) collate "default",
               f.attribute, f.value,
               shown.status,
               memory_internal.effective_confidence(
                   v.confidence, v.importance, v.last_confirmed, shown.status, v.pinned,
                   memory_internal.decay_attribute(f.attribute, f.extracted_by),
                   v.contradicted_at, valid_at),
               v.importance, v.evidence_count, v.first_observed, v.last_confirmed, v.valid_from, v.valid_to,
               v.superseded_by, v.merged_into_id, v.retracted_at, v.pinned,
               exists (select from memory_internal.list_contradictions(bank, f.memory_id, known_at) as c where c.open),
               array(select c.other_id
                       from memory_internal.list_contradictions(bank, f.memory_id, known_at) as c
                      order by c.other_id),
               array(select e.episode_id
                       from memory.fact_evidence e
                      where e.bank_id = bank and e.fact_id = f.memory_id and e.holds and e.recorded_at <= known_at
                      order by e.occurred_at, e.episode_id),
               memory_internal.version_history(bank, f.memory_id, known_at),
               f.tags, f.recipients, f.metadata, f.recorded_at, f.source, f.agent_id, f.extracted_by,
               v.contradicted_at
          from memory.semantic_memory f
         -- The last version of each fact by an index probe: reading all versions of a bank would discard most of them.
         cross join lateral (
            select w.*
              from memory.fact_version w
             where w.bank_id = bank and w.fact_id = f.memory_id and w.at <= known_at
             order by w.version desc
             limit 1) as v
         cross join lateral (
            select case when v.status = any (requested_statuses) then v.status
                        when v.evidence_count >= memory_internal.stable_evidence() then 'stable'
                        else 'tentative' end as status) as shown
         where f.bank_id = bank
           and (v.status = any (requested_statuses) and v.status in ('deprecated', 'merged_into')
                or (v.status = any (requested_statuses)
                    or 'tentative' = any (requested_statuses) and v.status = 'deprecated' and v.retracted_at is null
                       and exists (  -- it faded or was dropped after that time, with no lower confidence before
                        select
                          from (select w.version, w.status, w.confidence
                                  from memory.fact_version w
                                 where w.bank_id = bank and w.fact_id = f.memory_id and w.version < v.version
                                   and w.status <> 'deprecated'
                                 order by w.version desc
                                 limit 1) as believed
                          join memory.fact_version deprecation
                            on deprecation.bank_id = bank and deprecation.fact_id = f.memory_id
                           and deprecation.version = believed.version + 1
                         where believed.status in ('tentative', 'stable') and believed.confidence <= v.confidence
                           and valid_at < deprecation.at))
                   and v.valid_from <= valid_at and (v.valid_to is null or v.valid_to > valid_at))
           and (after_id is null or (v.last_confirmed, f.memory_id) < (after_at, after_id))
         order by v.last_confirmed desc, f.memory_id desc
         limit page;
end $$;

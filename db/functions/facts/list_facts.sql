-- Facts a page at a time, the last confirmed first: what was believed to be true at `as_of`, with the confidence faded to
-- then; where `known_at` is given, by what was known then (S1 6.2, S2): each as its last version of that time has it, none
-- that came later. A moment not named is that of the other, else now.
-- Tentative and stable facts show where they held at `as_of`, superseded ones too: these were true. So does, tentative or
-- stable as it was, what faded or was dropped only later. Other deprecated and merged ones are believed of no time; they are
-- listed where their status is asked for, retracted ones (deprecated) too.
create or replace function memory_api.list_facts(
    bank text, page integer, as_of timestamptz default null, known_at timestamptz default null,
    statuses text[] default null, after_at timestamptz default null, after_id uuid default null)
returns setof memory_api.fact_entry
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    asked constant text[] := coalesce(statuses, array['tentative', 'stable']);
    moment constant timestamptz := coalesce(as_of, known_at, now());
    least_confidence double precision;
    entry memory_api.fact_entry;
begin
    perform memory_internal.require_bank(bank);
    select memory_internal.deprecation_confidence(b.settings) into least_confidence
      from memory.bank b
     where b.bank_id = bank;
    if known_at is null then
        for entry in
            select e.*
              from memory_api.fact_entry e
              join memory.semantic_memory f using (bank_id, memory_id)
             where e.bank_id = bank
               and (e.status = any (asked) and e.status in ('deprecated', 'merged_into')
                    or (e.status = any (asked)
                        or 'tentative' = any (asked) and memory_internal.was_believed_later(f, moment)
                           and f.confidence >= least_confidence)
                       and e.valid_from <= moment and (e.valid_to is null or e.valid_to > moment))
               and (after_id is null or (e.last_confirmed, e.memory_id) < (after_at, after_id))
             order by e.last_confirmed desc, e.memory_id desc
             limit page
        loop
            entry.status := case when entry.status = any (asked) then entry.status
                                 when entry.evidence_count >= 3 then 'stable' else 'tentative' end;
            entry.confidence := memory_internal.effective_confidence(
                entry.confidence, entry.importance, entry.last_confirmed, entry.status, entry.pinned,
                entry.attribute, entry.contradicted_at, moment);
            return next entry;
        end loop;
        return;
    end if;
    return query
        select f.bank_id, f.memory_id, v.fact, memory_internal.display_subject(bank, f.subject) collate "default",
               f.attribute, f.value,
               held.status,
               memory_internal.effective_confidence(
                   v.confidence, v.importance, v.last_confirmed, held.status, v.pinned, f.attribute,
                   v.contradicted_at, moment),
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
         -- The last version of each by an index probe: of all versions of a bank, most are of no interest.
         cross join lateral (
            select w.*
              from memory.fact_version w
             where w.bank_id = bank and w.fact_id = f.memory_id and w.at <= known_at
             order by w.version desc
             limit 1) as v
         cross join lateral (
            select case when v.status = any (asked) then v.status
                        when v.evidence_count >= 3 then 'stable' else 'tentative' end as status) as held
         where f.bank_id = bank
           and (v.status = any (asked) and v.status in ('deprecated', 'merged_into')
                or (v.status = any (asked)
                    or 'tentative' = any (asked) and v.status = 'deprecated' and v.retracted_at is null
                       and exists (  -- it faded or was dropped later than `moment`, and was no more doubted than before that
                        select
                          from (select w.version, w.status, w.confidence
                                  from memory.fact_version w
                                 where w.bank_id = bank and w.fact_id = f.memory_id and w.version < v.version
                                   and w.status <> 'deprecated'
                                 order by w.version desc
                                 limit 1) as believed
                          join memory.fact_version gone
                            on gone.bank_id = bank and gone.fact_id = f.memory_id and gone.version = believed.version + 1
                         where believed.status in ('tentative', 'stable') and believed.confidence <= v.confidence
                           and moment < gone.at))
                   and v.valid_from <= moment and (v.valid_to is null or v.valid_to > moment))
           and (after_id is null or (v.last_confirmed, f.memory_id) < (after_at, after_id))
         order by v.last_confirmed desc, f.memory_id desc
         limit page;
end $$;

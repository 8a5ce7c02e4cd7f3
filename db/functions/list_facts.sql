-- Facts a page at a time, the last confirmed first: what was believed to be true at `as_of`, with the confidence faded to
-- then; where `known_at` is given, by what was known then (S1 6.2, S2): each as its last version of that time has it, none
-- that came later. A moment not named is that of the other, else now.
-- Tentative and stable facts show where they held at `as_of`, superseded ones too: these were true. Deprecated and merged
-- ones are believed of no time; they are listed where their status is asked for, retracted ones (deprecated) too.
create or replace function memory_api.list_facts(
    bank text, page integer, as_of timestamptz default null, known_at timestamptz default null,
    statuses text[] default null, after_at timestamptz default null, after_id uuid default null)
returns setof memory_api.fact_entry
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    asked constant text[] := coalesce(statuses, array['tentative', 'stable']);
    moment constant timestamptz := coalesce(as_of, known_at, now());
    entry memory_api.fact_entry;
    version memory.fact_version;
begin
    perform memory_api.require_bank(bank);
    if known_at is null then
        for entry in
            select e.*
              from memory_api.fact_entry e
             where e.bank_id = bank and e.status = any (asked)
               and (e.status in ('deprecated', 'merged_into')
                    or e.valid_from <= moment and (e.valid_to is null or e.valid_to > moment))
               and (after_id is null or (e.last_confirmed, e.memory_id) < (after_at, after_id))
             order by e.last_confirmed desc, e.memory_id desc
             limit page
        loop
            entry.confidence := memory_api.effective_confidence(
                entry.confidence, entry.importance, entry.last_confirmed, entry.status, entry.pinned, moment);
            return next entry;
        end loop;
        return;
    end if;
    for version in
        select v.*
          from (select distinct on (w.fact_id) w.*
                  from memory.fact_version w
                 where w.bank_id = bank and w.at <= known_at
                 order by w.fact_id, w.version desc) as v
         where v.status = any (asked)
           and (v.status in ('deprecated', 'merged_into')
                or v.valid_from <= moment and (v.valid_to is null or v.valid_to > moment))
           and (after_id is null or (v.last_confirmed, v.fact_id) < (after_at, after_id))
         order by v.last_confirmed desc, v.fact_id desc
         limit page
    loop
        select e.* into entry
          from memory_api.fact_entry e
         where e.bank_id = bank and e.memory_id = version.fact_id;
        entry.fact := version.fact;
        entry.status := version.status;
        entry.confidence := memory_api.effective_confidence(
            version.confidence, version.importance, version.last_confirmed, version.status, version.pinned, moment);
        entry.importance := version.importance;
        entry.evidence_count := version.evidence_count;
        entry.first_observed := version.first_observed;
        entry.last_confirmed := version.last_confirmed;
        entry.valid_from := version.valid_from;
        entry.valid_to := version.valid_to;
        entry.superseded_by := version.superseded_by;
        entry.merged_into_id := version.merged_into_id;
        entry.retracted_at := version.retracted_at;
        entry.pinned := version.pinned;
        entry.unconfirmed := exists (
            select from memory_api.contradictions_of(bank, version.fact_id, known_at) as c where c.open);
        entry.contradictions := array(
            select c.other_id from memory_api.contradictions_of(bank, version.fact_id, known_at) as c order by 1);
        entry.derived_from := array(
            select e.episode_id
              from memory.fact_evidence e
             where e.bank_id = bank and e.fact_id = version.fact_id and e.holds and e.recorded_at <= known_at
             order by e.occurred_at, e.episode_id);
        entry.version_history := memory_api.version_history(bank, version.fact_id, known_at);
        return next entry;
    end loop;
end $$;

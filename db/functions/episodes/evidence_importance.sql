-- Returns the importance with which an episode counts as evidence: as first written, or as set since. What merged
-- duplicates added (`importance` is the present one) depends on their order of arrival.
create or replace function memory_internal.evidence_importance(bank text, memory uuid, importance double precision)
returns double precision
language sql stable set plan_cache_mode = force_generic_plan as $$
    select coalesce(
        (select (v.detail ->> 'importance')::double precision
           from memory.memory_event v
          where v.bank_id = bank and v.memory_id = memory and v.event = 'reinforced'
            and not exists (select from memory.memory_event later
                             where later.bank_id = bank and later.memory_id = memory and later.event = 'updated'
                               and later.event_id > v.event_id)
          order by v.event_id
          limit 1), importance);
$$;

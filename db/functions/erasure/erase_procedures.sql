-- Removes the evidence that these episodes are, and the procedures in `procedures`, and returns the ids of the
-- procedures deleted. A committed procedure stays, and one whose wording comes from an episode that stays (its first
-- evidence). Another one is deleted, and the worker, or the nightly run for lessons, learns it again from its other
-- episodes. Called by erase_rows. The caller holds the bank lock.
create or replace function memory_internal.erase_procedures(
    bank text, episodes uuid[], procedures uuid[], reason text, actor text, at timestamptz)
returns uuid[]
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    touched uuid[];
    removed uuid[];
    again uuid[];
    one uuid;
begin
    perform memory_internal.enter_bank(bank);
    touched := array(
        select distinct v.procedure_id from memory.procedure_evidence v
         where v.bank_id = bank and v.evidence_id = any (episodes));
    removed := procedures || array(
        select p.memory_id
          from memory.procedural_memory p
         where p.bank_id = bank and p.memory_id = any (touched) and p.extracted_by is not null
           and (select v.evidence_id = any (episodes)
                  from memory.procedure_evidence v
                 where v.bank_id = bank and v.procedure_id = p.memory_id
                 order by v.recorded_at, v.occurred_at, v.evidence_id
                 limit 1)
         union
        -- Stated by a former content of these episodes: only the reasons of the versions still name them.
        select p.memory_id
          from memory.procedural_memory p
         where p.bank_id = bank and p.extracted_by is not null and p.dropped_at is not null
           and not exists (select from memory.procedure_evidence v where v.bank_id = bank and v.procedure_id = p.memory_id)
           and exists (select from memory.procedure_version v
                         join unnest(episodes) as e (id) on position(e.id::text in v.reason) > 0
                        where v.bank_id = bank and v.procedure_id = p.memory_id));
    again := array(
        select distinct v.evidence_id from memory.procedure_evidence v
         where v.bank_id = bank and v.procedure_id = any (removed) and v.evidence_id <> all (episodes || removed));
    delete from memory.procedure_evidence v where v.bank_id = bank and v.evidence_id = any (episodes);
    perform memory_internal.remove_work(bank, array['procedures'], removed::text[]);
    update memory.procedural_memory p
       set superseded_by = null, valid_to = null,
           status = case when p.status = 'superseded' then 'active' else p.status end
     where p.bank_id = bank and p.superseded_by = any (removed) and p.memory_id <> all (removed);
    update memory.procedural_memory p set replaces = null where p.bank_id = bank and p.replaces = any (removed);
    delete from memory.memory_vector v where v.bank_id = bank and v.memory_id = any (removed);
    delete from memory.procedural_memory p
     where p.bank_id = bank and (p.memory_id = any (removed) or p.merged_into_id = any (removed));
    foreach one in array touched loop
        if one <> all (removed) then
            perform memory_internal.refresh_procedure(bank, one, 'status', reason, actor, at);
        end if;
    end loop;
    update memory.lesson_vector v set compared_at = null where v.bank_id = bank and v.episode_id = any (again);
    perform memory_internal.enqueue_procedures(bank, again, at);
    return removed;
end $$;

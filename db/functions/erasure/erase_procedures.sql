-- Removes the evidence that these episodes are, and the procedures in `procedures`, and returns the ids of the
-- procedures deleted. A committed procedure stays, and one whose wording comes from an episode that stays (its first
-- evidence). Another one is deleted, with corrections that have its situation, steps or reason, and the worker, or the
-- nightly run for lessons, learns it again from its other episodes. What others took over from it is removed
-- (erase_procedure_labels). Called by erase_rows. The caller holds the bank lock.
create or replace function memory_internal.erase_procedures(
    bank text, episodes uuid[], procedures uuid[], reason text, actor text, at timestamptz)
returns uuid[]
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    touched uuid[];
    removed uuid[];
    returned uuid[];
    shared uuid[];
    again uuid[];
    one uuid;
begin
    perform memory_internal.enter_bank(bank);
    touched := array(
        select distinct v.procedure_id from memory.procedure_evidence v
         where v.bank_id = bank and v.evidence_id = any (episodes || procedures));
    removed := procedures || array(
        select p.memory_id
          from memory.procedural_memory p
         where p.bank_id = bank and p.memory_id = any (touched) and p.extracted_by is not null
           and (select v.evidence_id = any (episodes || procedures)
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
    -- Corrections of these with a situation, steps or a reason: update_procedure copied them. A commit gives its own.
    removed := array(
        with recursive correction as (
            select unnest(removed) as memory_id
             union
            select p.memory_id
              from correction c
              join memory.procedural_memory p on p.bank_id = bank and p.given ->> 'replaces' = c.memory_id::text
             where not p.given ? 'situation' and (p.situation <> '' or p.steps <> '{}' or p.why is not null)
        )
        select c.memory_id from correction c);
    again := array(
        select distinct v.evidence_id from memory.procedure_evidence v
         where v.bank_id = bank and v.procedure_id = any (removed) and v.evidence_id <> all (episodes || removed));
    delete from memory.procedure_evidence v where v.bank_id = bank and v.evidence_id = any (episodes || procedures);
    -- Commits that repeated one of those are written again as new ones.
    with again as (
        update memory.procedural_memory p
           set status = 'pending_embedding', merged_into_id = null
         where p.bank_id = bank and p.merged_into_id = any (removed) and p.memory_id <> all (removed)
           and p.extracted_by is null
        returning p.memory_id
    )
    select coalesce(array_agg(a.memory_id order by a.memory_id), '{}') into returned from again a;
    perform memory_internal.enqueue_new(
        bank, 'procedures', returned::text[], array_fill(0, array[cardinality(returned)]), at);
    -- What procedures took over from an erased commit that repeated them (place_committed_procedure).
    shared := array(
        select distinct c.merged_into_id from memory.procedural_memory c
         where c.bank_id = bank and c.memory_id = any (procedures) and c.merged_into_id <> all (removed));
    perform memory_internal.erase_procedure_labels(bank, removed, shared);
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
    perform memory_internal.enqueue_statements(bank, 'procedures', again, at);
    return removed;
end $$;

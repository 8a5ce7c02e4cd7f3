-- Writes the vectors of a committed or reworded procedure. A pending one becomes active and supersedes the one that it
-- replaces, or is merged into the one that it repeats, which gets its evidence, tags and recipients, and its steps and
-- reason where it has none. Returns whether anything but vectors changed. The caller holds the bank lock and the row.
create or replace function memory_internal.place_committed_procedure(
    bank text, model text, committed memory.procedural_memory, embedding public.halfvec,
    situation_embedding public.halfvec, at timestamptz)
returns boolean
language plpgsql as $$
declare
    known uuid;
    replaced_status text;
begin
    perform memory_internal.enter_bank(bank);
    if committed.status not in ('pending_embedding', 'active', 'tentative', 'superseded', 'deprecated') then
        return false;
    end if;
    if committed.status <> 'pending_embedding' then
        perform memory_internal.set_procedure_vectors(
            bank, model, committed.memory_id, embedding, situation_embedding);
        return false;
    end if;
    known := memory_internal.find_procedure(
        bank, model, committed.content, committed.situation, committed.steps, embedding, situation_embedding,
        committed.occurred_at, array_remove(array[committed.memory_id, committed.replaces], null));
    if known is not null and exists (
           select from memory.procedural_memory p
            where p.bank_id = bank and p.memory_id = known and p.retracted_at is null
              and p.status <> 'superseded') then
        update memory.procedural_memory p
           set status = 'merged_into', merged_into_id = known
         where p.bank_id = bank and p.memory_id = committed.memory_id;
        perform memory_internal.record_procedure(
            bank, committed.memory_id, 'status', 'pending_embedding', 'repeats ' || known, 'worker', at);
        update memory.procedural_memory p
           set tags = array(select distinct t from unnest(p.tags || committed.tags) as t order by t),
               recipients = array(select distinct r from unnest(p.recipients || committed.recipients) as r order by r),
               steps = case when p.steps = '{}' then committed.steps else p.steps end,
               why = coalesce(p.why, committed.why)
         where p.bank_id = bank and p.memory_id = known;
    else
        known := committed.memory_id;
        update memory.procedural_memory p
           set status = 'tentative'
         where p.bank_id = bank and p.memory_id = known;
        perform memory_internal.set_procedure_vectors(bank, model, known, embedding, situation_embedding);
    end if;
    insert into memory.procedure_evidence
        (bank_id, procedure_id, evidence_id, stated, importance, occurred_at, recorded_at)
    values (bank, known, committed.memory_id, true, committed.importance, committed.occurred_at, at)
    on conflict on constraint procedure_evidence_pkey do nothing;
    perform memory_internal.refresh_procedure(
        bank, known, case when known = committed.memory_id then 'status' else 'reinforced' end,
        case when known = committed.memory_id then 'embedded' else 'repeated by ' || committed.memory_id end,
        'worker', at);
    if committed.replaces is not null then
        select p.status into replaced_status
          from memory.procedural_memory p
         where p.bank_id = bank and p.memory_id = committed.replaces;
        if replaced_status in ('active', 'tentative') then  -- else it ended meanwhile
            update memory.procedural_memory p
               set status = 'superseded', superseded_by = known, valid_to = greatest(p.valid_from, committed.occurred_at)
             where p.bank_id = bank and p.memory_id = committed.replaces;
            perform memory_internal.record_procedure(
                bank, committed.replaces, 'superseded', replaced_status, 'replaced by ' || known,
                coalesce(committed.agent_id, 'caller'), at);
        end if;
    end if;
    return true;
end $$;

-- Records the present state of a procedure as its next version, and the event that led to it (null: none). `note` is a
-- caller's text, added to the reason of the version; events hold no text. Called after each change: the caller holds
-- the bank lock, or has just inserted the row.
create or replace function memory_internal.record_procedure(
    bank text, memory uuid, event text, from_status text, reason text, actor text, at timestamptz,
    note text default null)
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    update memory.procedural_memory p set version = p.version + 1 where p.bank_id = bank and p.memory_id = memory;
    insert into memory.procedure_version
        (bank_id, procedure_id, version, content, situation, steps, why, status, confidence, importance,
         evidence_count, worked, failed, pinned, valid_from, valid_to, superseded_by, reason, actor, at)
    select bank, memory, p.version, p.content, p.situation, p.steps, p.why, p.status, p.confidence, p.importance,
           p.evidence_count, p.worked, p.failed, p.pinned, p.valid_from, p.valid_to, p.superseded_by,
           concat_ws(': ', record_procedure.reason, record_procedure.note), record_procedure.actor,
           record_procedure.at
      from memory.procedural_memory p
     where p.bank_id = bank and p.memory_id = memory;
    insert into memory.memory_event
        (bank_id, memory_id, memory_type, event, from_status, to_status, reason, actor, at)
    select bank, memory, 'procedural', record_procedure.event, record_procedure.from_status, p.status,
           record_procedure.reason, record_procedure.actor, record_procedure.at
      from memory.procedural_memory p
     where record_procedure.event is not null and p.bank_id = bank and p.memory_id = memory;
end $$;

-- Adds episodes as evidence of the lesson procedure that they teach, each once. The caller holds the bank lock.
create or replace function memory_internal.add_lesson_evidence(
    bank text, memory uuid, episodes uuid[], at timestamptz)
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.procedure_evidence
        (bank_id, procedure_id, evidence_id, stated, importance, occurred_at, recorded_at)
    select bank, memory, e.memory_id, false, e.importance, e.occurred_at, at
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = any (episodes)
     order by e.memory_id
    on conflict on constraint procedure_evidence_pkey do nothing;
end $$;

-- Returns whether a habit is over at `at`: the messages that state it also state habits as facts, and all of these have
-- ended ("I stopped running", facts_ended_by). Reads leave such a procedure out; its row does not change, so that an
-- erasure of the ending brings it back.
create or replace function memory_internal.is_ended_habit(bank text, procedure uuid, at timestamptz)
returns boolean
language sql stable as $$
    select count(*) > 0 and bool_and(coalesce(f.valid_to <= at, false))
      from memory.procedure_evidence e
      join memory.fact_evidence s on s.bank_id = bank and s.episode_id = e.evidence_id and s.holds
      join memory.semantic_memory f on f.bank_id = bank and f.memory_id = s.fact_id
     where e.bank_id = bank and e.procedure_id = procedure and f.attribute = 'habit' and f.valid_from <= at
       and f.status <> 'merged_into' and f.retracted_at is null;
$$;

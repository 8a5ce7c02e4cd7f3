-- Returns the ids of the facts that hold the evidence of this one: itself and the other periods of the same value in
-- its timeline.
create or replace function memory_internal.fact_periods(bank text, memory uuid) returns uuid[]
language sql stable as $$
    select array(
        select f.memory_id
          from memory.semantic_memory w
          join memory.semantic_memory f
            on f.bank_id = bank and f.timeline = w.timeline and lower(f.value) is not distinct from lower(w.value)
         where w.bank_id = bank and w.memory_id = memory
           and (f.memory_id = memory or f.status <> 'merged_into' and f.retracted_at is null));
$$;

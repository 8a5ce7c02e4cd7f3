-- Returns whether the value of a fact, or of the fact that it was merged into, had a statement or a commit before a
-- time. Called by withdraw_decisions.
create or replace function memory_internal.is_stated(bank text, fact uuid, before timestamptz) returns boolean
language plpgsql stable as $$
begin
    perform memory_internal.enter_bank(bank);
    return exists (
        select from memory.semantic_memory k
          join memory.semantic_memory f
            on f.bank_id = bank and f.timeline = k.timeline and lower(f.value) is not distinct from lower(k.value)
         where k.bank_id = bank and k.memory_id in (is_stated.fact, memory_internal.merged_fact(bank, is_stated.fact))
           and (exists (select from memory.fact_evidence v
                         where v.bank_id = bank and v.fact_id = f.memory_id and v.holds and v.occurred_at < before)
                or exists (select from memory.fact_judgement j
                            where j.bank_id = bank and j.fact_id = f.memory_id and j.judgement = 'committed'
                              and j.occurred_at < before)));
end $$;

-- Deletes the endings that these committed facts state (place_part) and returns the timelines of the facts that had
-- ended by them, which the caller rebuilds. An ending and its commit have the same times. Called by erase_facts.
-- The caller holds the bank lock.
create or replace function memory_internal.withdraw_endings(bank text, facts uuid[]) returns text[]
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    timelines text[];
begin
    perform memory_internal.enter_bank(bank);
    with withdrawn as (
        delete from memory.fact_judgement j
         using memory.semantic_memory c
         where j.bank_id = bank and j.judgement = 'ended' and c.bank_id = bank and c.memory_id = any (facts)
           and c.extracted_by is null and j.recorded_at = c.recorded_at and j.fact_id <> c.memory_id
        returning j.fact_id
    )
    select array_agg(distinct f.timeline) into timelines
      from withdrawn w
      join memory.semantic_memory f on f.bank_id = bank and f.memory_id = w.fact_id;
    return coalesce(timelines, '{}');
end $$;

-- The fact that stands for one which was merged by memory_api.merge_facts: its winner, that one's winner, and of these the
-- latest period; null where it was retracted.
create or replace function memory_internal.merged_fact(bank text, memory uuid) returns uuid
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    standing uuid := memory;
    onward uuid := memory;
begin
    perform memory_internal.enter_bank(bank);
    while onward is not null loop
        standing := onward;
        select m.winner_id into onward
          from memory.fact_merge m
         where m.bank_id = bank and m.loser_id = standing and m.undone_at is null;
    end loop;
    return (
        select f.memory_id
          from memory.semantic_memory w
          join memory.semantic_memory f
            on f.bank_id = bank and f.timeline = w.timeline and lower(f.value) is not distinct from lower(w.value)
           and f.status <> 'merged_into' and f.retracted_at is null
         where w.bank_id = bank and w.memory_id = standing
         order by f.valid_from desc, f.memory_id
         limit 1);
end $$;

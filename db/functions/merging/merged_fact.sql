-- Returns the fact that stands for one merged by merge_facts: the last winner of the chain, and of its periods the
-- latest; null if that was retracted.
create or replace function memory_internal.merged_fact(bank text, memory uuid) returns uuid
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    survivor uuid := memory;
    next_winner uuid := memory;
begin
    perform memory_internal.enter_bank(bank);
    while next_winner is not null loop
        survivor := next_winner;
        select m.winner_id into next_winner
          from memory.fact_merge m
         where m.bank_id = bank and m.loser_id = survivor and m.undone_at is null;
    end loop;
    return (
        select f.memory_id
          from memory.semantic_memory w
          join memory.semantic_memory f
            on f.bank_id = bank and f.timeline = w.timeline and lower(f.value) is not distinct from lower(w.value)
           and f.status <> 'merged_into' and f.retracted_at is null
         where w.bank_id = bank and w.memory_id = survivor
         order by f.valid_from desc, f.memory_id
         limit 1);
end $$;

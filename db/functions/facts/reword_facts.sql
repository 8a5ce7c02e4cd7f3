-- Gives every period of a value the words and vector of the earliest statement that it holds, so that they do not
-- depend on the order of arrival and a fact never shows the words of its ending ("no longer lives in Leipzig").
-- Called by write_statements before it writes the evidence. No effect if the statement is not the earliest, if the
-- fact was committed, or if it won a merge: it is found by its own words and those of the losers; or if it is a death
-- with its time, which a statement without it repeats. Matching facts without a value keep their timelines.
create or replace function memory_internal.reword_facts(
    bank text, model text, known uuid, content text, key bigint, vector public.halfvec, stated_at timestamptz)
returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    periods uuid[];
begin
    perform memory_internal.enter_bank(bank);
    select array_agg(f.memory_id) into periods
      from memory.semantic_memory k
      join memory.semantic_memory f
        on f.bank_id = bank and f.timeline = k.timeline and lower(f.value) is not distinct from lower(k.value)
       and f.status <> 'merged_into' and f.retracted_at is null
     where k.bank_id = bank and k.memory_id = known;
    if exists (select from memory.semantic_memory k
                where k.bank_id = bank and k.memory_id = known and k.attribute = 'died' and k.value is not null)
       or exists (select from memory.fact_evidence e
                where e.bank_id = bank and e.fact_id = any (periods) and e.holds and e.occurred_at <= stated_at)
       or exists (select from memory.fact_judgement j
                   where j.bank_id = bank and j.fact_id = any (periods) and j.judgement = 'committed')
       or exists (select from memory.fact_merge m
                   where m.bank_id = bank and m.winner_id = any (periods) and m.undone_at is null) then
        return;
    end if;
    update memory.semantic_memory f
       set fact = content, fingerprint = key
     where f.bank_id = bank and f.memory_id = any (periods) and f.fact <> content;
    if found then
        perform memory_internal.write_fact_vectors(bank, model, periods, vector);
    end if;
end $$;

-- Returns the existing fact that a candidate repeats, or null: the latest with the same timeline and value; for a death
-- without a time ("my dad died") the latest that has one ("died in March"), which it does not replace; else one
-- of the same subject with the same words, or with a cosine at or above the duplicate threshold, without any
-- text_difference. A fact merged by merge_facts is represented by its winner; retracted facts and the fact of the
-- last parameter never match. The caller holds the bank lock.
create or replace function memory_internal.find_matching_fact(
    bank text, model text, of_timeline text, content text, of_subject text, of_attribute text, of_value text,
    key bigint, vector public.halfvec, except_fact uuid default null)
returns uuid
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    matched uuid;
    candidates uuid[];
begin
    perform memory_internal.enter_bank(bank);
    if of_attribute = 'died' and of_value is null and of_timeline like E'one\t%' then
        select f.memory_id into matched
          from memory.semantic_memory f
         where f.bank_id = bank and f.timeline = of_timeline and f.value is not null
           and f.status <> 'merged_into' and f.retracted_at is null and f.memory_id is distinct from except_fact
         order by f.valid_from desc, f.memory_id
         limit 1;
        if found then
            return matched;
        end if;
    end if;
    select f.memory_id into matched
      from memory.semantic_memory f
     where f.bank_id = bank and f.timeline = of_timeline and lower(f.value) is not distinct from lower(of_value)
       and f.status <> 'merged_into' and f.retracted_at is null and f.memory_id is distinct from except_fact
     order by f.valid_from desc, f.memory_id
     limit 1;
    if matched is null then
        select memory_internal.merged_fact(bank, f.memory_id) into matched
          from memory.semantic_memory f
          join memory.fact_merge m on m.bank_id = bank and m.loser_id = f.memory_id and m.undone_at is null
         where f.bank_id = bank and f.timeline = of_timeline and lower(f.value) is not distinct from lower(of_value)
           and f.status = 'merged_into'
         order by m.merge_id
         limit 1;
        matched := nullif(matched, except_fact);
    end if;
    if matched is not null or (of_attribute is not null and of_value is not null and of_timeline like E'one\t%') then
        return matched;
    end if;
    -- Candidates first, into an array: text_difference is expensive and the planner overestimates their number.
    candidates := array(
        select f.memory_id
          from memory.semantic_memory f
         where f.bank_id = bank and f.fingerprint = key
         order by f.memory_id) || array(
        select n.memory_id
          from memory_internal.nearest_facts(bank, model, vector, 8) as n
         where n.similarity >= (select t.duplicate from memory_api.bank_thresholds(bank, model) as t)
         order by n.similarity desc, n.memory_id);
    select f.surviving_id into matched
      from unnest(candidates) with ordinality as a (memory_id, place)
     cross join lateral (select f.*,
                                case when f.status <> 'merged_into' then f.memory_id
                                     when f.merged_into_id is not null and exists (
                                         select from memory.fact_merge m
                                          where m.bank_id = bank and m.loser_id = f.memory_id and m.undone_at is null)
                                     then memory_internal.merged_fact(bank, f.memory_id) end as surviving_id
                           from memory.semantic_memory f
                          where f.bank_id = bank and f.memory_id = a.memory_id
                         offset 0) as f
     where f.surviving_id <> coalesce(except_fact, '00000000-0000-0000-0000-000000000000') and f.retracted_at is null
       and lower(f.subject) is not distinct from lower(of_subject)
       and (of_attribute is null or f.attribute is null or f.attribute = of_attribute)
       and memory_api.text_difference(f.fact, content) is null
     order by a.place
     limit 1;
    return matched;
end $$;

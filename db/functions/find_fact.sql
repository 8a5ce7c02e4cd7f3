-- The fact that a candidate says again, null where there is none: of the same timeline and value, its latest; else one
-- whose words say the same, or nearly the same by its vector with nothing that tells them apart (memory_api.mismatch),
-- about the same subject. What was merged is its winner, what was retracted nobody's. Never `besides`.
create or replace function memory_api.find_fact(
    bank text, model text, line text, content text, of_subject text, of_attribute text, of_value text, key bigint,
    vector public.halfvec, besides uuid default null)
returns uuid
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    known uuid;
begin
    perform memory_api.enter_bank(bank);
    select f.memory_id into known
      from memory.semantic_memory f
     where f.bank_id = bank and f.timeline = line and lower(f.value) is not distinct from lower(of_value)
       and f.status <> 'merged_into' and f.retracted_at is null and f.memory_id is distinct from besides
     order by f.valid_from desc, f.memory_id
     limit 1;
    if known is not null or (of_attribute is not null and of_value is not null and line like E'one\t%') then
        return known;
    end if;
    select n.memory_id into known
      from (
        select f.memory_id, f.fact, 1::double precision as similarity
          from memory.semantic_memory f
         where f.bank_id = bank and f.said_key = key
         union all
        select v.memory_id, f.fact, v.similarity
          from memory_api.near_facts(bank, model, vector, 8) as v
          join memory.semantic_memory f on f.bank_id = bank and f.memory_id = v.memory_id
          join memory.embedding_model t on t.name = model
         where v.similarity >= t.duplicate_threshold
      ) as n
      join memory.semantic_memory f on f.bank_id = bank and f.memory_id = n.memory_id
     where f.status <> 'merged_into' and f.retracted_at is null and f.memory_id is distinct from besides
       and lower(f.subject) is not distinct from lower(of_subject)
       and (of_attribute is null or f.attribute is null or f.attribute = of_attribute)
       and memory_api.mismatch(n.fact, content) is null
     order by n.similarity desc, n.memory_id
     limit 1;
    return known;
end $$;

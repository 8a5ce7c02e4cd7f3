-- Returns all facts of the bank with a cosine above `threshold` to one of these, exactly. Runs as the owner with the
-- bank in the predicate, as nearest_episodes does.
create or replace function memory_internal.similar_facts(bank text, model text, facts uuid[], threshold double precision)
returns table (memory_id uuid, other_id uuid, similarity double precision)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select f.memory_id, o.memory_id, o.similarity
          from memory.memory_vector f
         cross join lateral (
            select v.memory_id, -(v.embedding operator(public.<#>) f.embedding) as similarity
              from memory.memory_vector v
             where v.bank_id = bank and v.model_id = model and v.tier = 'semantic' and v.part = 0
               and v.memory_id <> f.memory_id
            offset 0) as o
         where f.bank_id = bank and f.model_id = model and f.tier = 'semantic' and f.part = 0
           and f.memory_id = any (facts) and o.similarity > threshold;
end $$;

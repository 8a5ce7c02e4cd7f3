-- The facts nearest to a vector, exactly. Runs as the owner with the bank in the predicate, as near_episodes does.
create or replace function memory_api.near_facts(bank text, model text, vector public.halfvec, most integer)
returns table (memory_id uuid, similarity double precision)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
    perform memory_api.enter_bank(bank);
    return query
        select v.memory_id, -(v.embedding operator(public.<#>) vector) as similarity
          from memory.memory_vector v
         where v.bank_id = bank and v.model_id = model and v.tier = 'semantic'
         order by v.embedding operator(public.<#>) vector
         limit most;
end $$;

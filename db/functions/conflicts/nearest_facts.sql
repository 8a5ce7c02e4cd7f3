-- Returns the `most` facts nearest to a vector, exactly. Runs as the owner with the bank in the predicate, as
-- nearest_episodes does. Sequential and parallel scans are off: where few banks share a partition, the planner would
-- scan all of it with workers that take longer to start than one bank takes to read.
create or replace function memory_internal.nearest_facts(bank text, model text, vector public.halfvec, most integer)
returns table (memory_id uuid, similarity double precision)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set max_parallel_workers_per_gather = 0 as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select v.memory_id, -(v.embedding operator(public.<#>) vector) as similarity
          from memory.memory_vector v
         where v.bank_id = bank and v.model_id = model and v.tier = 'semantic'
         order by v.embedding operator(public.<#>) vector
         limit most;
end $$;

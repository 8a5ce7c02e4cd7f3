-- Returns the `count` nearest of `memories`, exactly, each by its nearest part. Called by recall_candidates for the
-- memories of a large bank that pass a filter. One index scan by key with a generic plan: 500 memories take 1.5 ms,
-- where a custom plan of the general statement takes 1 ms for planning alone.
create or replace function memory_internal.nearest_among(
    bank text, model text, query public.halfvec, count integer, memories uuid[])
returns table (memory_id uuid, distance double precision)
language plpgsql security definer rows 100
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select v.memory_id, min(v.embedding operator(public.<=>) query) as distance
          from memory.memory_vector v
         where v.bank_id = bank and v.model_id = model and v.memory_id = any (memories)
         group by v.memory_id
         order by distance, v.memory_id
         limit count;
end $$;

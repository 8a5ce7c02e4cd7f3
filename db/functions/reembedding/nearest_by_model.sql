-- Returns the `count` episodes nearest to a vector among those of one model, exactly, nearest first. Called by reembed.
create or replace function memory_api.nearest_by_model(bank text, model text, query public.halfvec, count integer)
returns uuid[]
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    return array(
        select v.memory_id
          from memory.memory_vector v
          join memory.episodic_memory e
            on e.bank_id = bank and e.memory_id = v.memory_id and e.status in ('active', 'archived')
         where v.bank_id = bank and v.model_id = model and v.tier = 'episodic'
         group by v.memory_id
         order by min(v.embedding operator(public.<=>) query), v.memory_id
         limit count);
end $$;

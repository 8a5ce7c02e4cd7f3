-- The pairs of these facts and these episodes at or above a cosine, exactly; a long episode by its nearest part. The
-- fewer of the two are held, the others read once: all vectors of a bank at its caps are more than work_mem holds. Runs
-- as the owner with the bank in the predicate, as nearest_episodes does.
create or replace function memory_internal.similar_episodes(
    bank text, model text, facts uuid[], episodes uuid[], threshold double precision)
returns table (fact_id uuid, episode_id uuid, similarity double precision)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    if cardinality(facts) < cardinality(episodes) then
        return query
            with smaller_side as materialized (
                select v.memory_id, v.embedding
                  from memory.memory_vector v
                 where v.bank_id = bank and v.model_id = model and v.tier = 'semantic' and v.part = 0
                   and v.memory_id = any (facts)
            )
            select o.memory_id, e.memory_id, max(o.similarity)
              from memory.memory_vector e
             cross join lateral (
                select h.memory_id, -(h.embedding operator(public.<#>) e.embedding) as similarity
                  from smaller_side h
                offset 0) as o
             where e.bank_id = bank and e.model_id = model and e.tier = 'episodic'
               and e.part < memory_internal.first_reply_part()
               and e.memory_id = any (episodes) and o.similarity >= threshold
             group by o.memory_id, e.memory_id;
        return;
    end if;
    return query
        with smaller_side as materialized (
            select v.memory_id, v.embedding
              from memory.memory_vector v
             where v.bank_id = bank and v.model_id = model and v.tier = 'episodic'
               and v.part < memory_internal.first_reply_part()
               and v.memory_id = any (episodes)
        )
        select f.memory_id, o.memory_id, max(o.similarity)
          from memory.memory_vector f
         cross join lateral (
            select h.memory_id, -(h.embedding operator(public.<#>) f.embedding) as similarity
              from smaller_side h
            offset 0) as o
         where f.bank_id = bank and f.model_id = model and f.tier = 'semantic' and f.part = 0
           and f.memory_id = any (facts) and o.similarity >= threshold
         group by f.memory_id, o.memory_id;
end $$;

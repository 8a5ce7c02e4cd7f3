-- The pairs of these facts and these episodes at or above a cosine, exactly; a long episode by its nearest part. The
-- fewer of the two are held, the others read once: all vectors of a bank at its caps are more than work_mem holds. Runs
-- as the owner with the bank in the predicate, as nearest_episodes does.
create or replace function memory_internal.similar_episodes(
    bank text, model text, facts uuid[], episodes uuid[], threshold double precision)
returns table (fact_id uuid, episode_id uuid, similarity double precision)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
    holds_facts constant boolean := cardinality(facts) < cardinality(episodes);
    held constant uuid[] := case when holds_facts then facts else episodes end;
    scanned constant uuid[] := case when holds_facts then episodes else facts end;
begin
    perform memory_internal.enter_bank(bank);
    return query
        with smaller_side as materialized (
            select v.memory_id, v.embedding
              from memory.memory_vector v
             where v.bank_id = bank and v.model_id = model
               and v.tier = case when holds_facts then 'semantic' else 'episodic' end
               and (v.part = 0 or v.tier = 'episodic' and v.part < memory_internal.first_reply_part())
               and v.memory_id = any (held)
        )
        select case when holds_facts then o.memory_id else v.memory_id end,
               case when holds_facts then v.memory_id else o.memory_id end, max(o.similarity)
          from memory.memory_vector v
         cross join lateral (
            select h.memory_id, -(h.embedding operator(public.<#>) v.embedding) as similarity
              from smaller_side h
            offset 0) as o
         where v.bank_id = bank and v.model_id = model
           and v.tier = case when holds_facts then 'episodic' else 'semantic' end
           and (v.part = 0 or v.tier = 'episodic' and v.part < memory_internal.first_reply_part())
           and v.memory_id = any (scanned) and o.similarity >= threshold
         group by v.memory_id, o.memory_id;
end $$;

-- Returns for each given episode the up to 16 nearest others with a cosine of at least `threshold`, whatever their
-- status. Exact, among the bank's `latest` episodes only, because a bank may be very large. Uses the inner product,
-- which for unit vectors is the cosine and takes half the time. Runs as the owner with the bank in the predicate:
-- the row security policy would be evaluated for each vector. Called by activate_episodes.
create or replace function memory_internal.nearest_episodes(
    bank text, model text, memories uuid[], embeddings public.halfvec[], threshold double precision,
    latest integer default 500)
returns table (memory_id uuid, other_id uuid, similarity double precision)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    earliest uuid;
begin
    perform memory_internal.enter_bank(bank);
    select v.memory_id into earliest
      from memory.memory_vector v
     where v.bank_id = bank and v.model_id = model and v.part = 0 and v.tier = 'episodic'
       and v.memory_id <> all (memories)
     order by v.memory_id desc
    offset latest limit 1;
    return query
        select f.memory_id, n.memory_id, n.similarity
          from unnest(memories, embeddings) as f (memory_id, embedding)
         cross join lateral (
            select v.memory_id, -(v.embedding operator(public.<#>) f.embedding) as similarity
              from memory.memory_vector v
             where v.bank_id = bank and v.model_id = model and v.part = 0 and v.tier = 'episodic'
               and v.memory_id <> f.memory_id
               and v.memory_id >= coalesce(earliest, '00000000-0000-0000-0000-000000000000')
             order by v.embedding operator(public.<#>) f.embedding
             limit 16
         ) as n
         where n.similarity >= threshold;
end $$;

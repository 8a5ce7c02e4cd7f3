-- Returns the `count` nearest vectors of a large bank by its HNSW index (memory.vector_index), approximately; a
-- memory of several parts may be returned several times. Called by recall_candidates. The iterative scan continues
-- until `count` vectors of this bank are found, also among other banks in its partition, or hnsw.max_scan_tuples
-- (20,000) were read; the caller then compares all vectors. An ef_search of at least 100 keeps recall@20 above .98
-- in a bank of 100,000 (python -m tests.bench large). Custom plans, because a generic plan cannot prune to the
-- bank's partition at planning time.
create or replace function memory_internal.nearest_indexed(bank text, model text, query public.halfvec, count integer)
returns table (memory_id uuid, distance double precision)
language plpgsql security definer rows 200
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off
set enable_sort = off set enable_bitmapscan = off set hnsw.iterative_scan = 'relaxed_order' set hnsw.ef_search = 100 as $$
begin
    perform memory_internal.enter_bank(bank);
    perform set_config('hnsw.ef_search', least(greatest(count, 100), 1000)::text, true);
    return query
        select v.memory_id, v.embedding operator(public.<=>) query
          from memory.indexed_vector v
         where v.bank_id = bank and v.model_id = model
         order by v.embedding operator(public.<=>) query
         limit count;
end $$;

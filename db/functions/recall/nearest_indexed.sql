-- Returns the `count` nearest memories of a large bank by its HNSW index (memory.vector_index), approximately: episodes
-- that pass the filters and the mood's bars (passes_filters, passes_mood), and facts that are believed and among
-- `facts`, if given. Called by recall_candidates. The iterative scan continues until `count` memories are found, also
-- among other banks in its partition and rows that do not pass, or hnsw.max_scan_tuples (20,000) were read; the caller
-- then compares all vectors. Rows are fetched one by one, because each row beyond the last one needed can make the
-- index search again. An ef_search of at least 100 keeps recall@20 above .98 in a bank of 100,000
-- (python -m tests.bench large). One generic plan serves every bank, whose partition is chosen when it starts: planning
-- takes 0.4 ms longer.
create or replace function memory_internal.nearest_indexed(
    bank text, model text, query public.halfvec, count integer, statuses text[], least_confidence double precision,
    types text[] default null, tags text[] default null, min_importance double precision default null,
    since timestamptz default null, until timestamptz default null, recipient text default null,
    agent text default null, bars jsonb default null, historical boolean default false, at timestamptz default now(),
    facts uuid[] default null)
returns table (memory_id uuid, distance double precision)
language plpgsql security definer rows 100
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_sort = off set enable_bitmapscan = off
set hnsw.iterative_scan = 'relaxed_order' set hnsw.ef_search = 100 as $$
declare
    has_facts boolean;
    nearest refcursor;
    found_ids uuid[] := '{}';
begin
    perform memory_internal.enter_bank(bank);
    perform set_config('hnsw.ef_search', least(greatest(count * 5 / 4, 100), 1000)::text, true);
    has_facts := exists (select from memory.semantic_memory f where f.bank_id = bank);
    open nearest for
        select v.memory_id, v.embedding operator(public.<=>) query
          from memory.indexed_vector v
         where v.bank_id = bank and v.model_id = model
           and (exists (select
                          from memory.episodic_memory e
                         where e.bank_id = bank and e.memory_id = v.memory_id
                           and memory_internal.passes_filters(
                                   e, statuses, types, nearest_indexed.tags, min_importance, since, until, recipient,
                                   agent, historical, at)
                           and memory_internal.passes_mood(e, bars)
                        offset 0)
                or has_facts
                   and exists (select
                                 from memory.semantic_memory f
                                where f.bank_id = bank and f.memory_id = v.memory_id
                                  and memory_internal.is_believed(f, least_confidence, at)
                                  and (facts is null or f.memory_id = any (facts))
                               offset 0))
         order by v.embedding operator(public.<=>) query;
    while cardinality(found_ids) < count loop
        fetch nearest into memory_id, distance;
        exit when not found;
        continue when memory_id = any (found_ids);  -- a memory of several parts
        found_ids := found_ids || memory_id;
        return next;
    end loop;
    close nearest;
end $$;

-- Returns the `count` nearest memories of a large bank by its HNSW index (memory.vector_index), approximately: episodes
-- that pass the filters and the mood's bars (passes_filters, passes_mood), and facts that are believed and among
-- `facts`, if given. Called by recall_candidates. The iterative scan continues until `count` memories are found, also
-- among other banks in its partition and rows that do not pass, or hnsw.max_scan_tuples (20,000) were read; the caller
-- then compares all vectors. Rows are fetched one by one, because each row beyond the last one needed can make the
-- index search again. An ef_search of at least 100 keeps recall@20 above .98 in a bank of 100,000
-- (python -m tests.bench large). One generic plan serves every bank, whose partition is chosen when it starts: planning
-- takes 0.4 ms longer.
-- With `tentative` it returns nothing if more than two of three rows read do not pass (judged from ef_search / 2 rows
-- on): the memories that pass are then better compared one by one. Else it over-fetches as many memories as rows did
-- not pass, at most twice `count`, because the further the index searches, the less its order is that of the distances.
create or replace function memory_internal.nearest_indexed(
    bank text, model text, query public.halfvec, count integer, statuses text[], least_confidence double precision,
    types text[] default null, tags text[] default null, min_importance double precision default null,
    since timestamptz default null, until timestamptz default null, recipient text default null,
    agent text default null, bars jsonb default null, historical boolean default false, at timestamptz default now(),
    facts uuid[] default null, tentative boolean default false)
returns table (memory_id uuid, distance double precision)
language plpgsql security definer rows 100
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_sort = off set enable_bitmapscan = off
set hnsw.iterative_scan = 'relaxed_order' set hnsw.ef_search = 100 as $$
declare
    ef_search constant integer := least(greatest(count * 5 / 4, 100), 1000);
    has_facts boolean;
    nearest refcursor;
    passes boolean;
    rejected integer := 0;  -- rows, only counted if `tentative`
    found_ids uuid[] := '{}';
    distances double precision[] := '{}';
begin
    perform memory_internal.enter_bank(bank);
    perform set_config('hnsw.ef_search', ef_search::text, true);
    has_facts := exists (select from memory.semantic_memory f where f.bank_id = bank);
    open nearest for
        select n.memory_id, n.distance, n.passes
          from (select v.memory_id, v.embedding operator(public.<=>) query as distance,
                       exists (select
                                 from memory.episodic_memory e
                                where e.bank_id = bank and e.memory_id = v.memory_id
                                  and memory_internal.passes_filters(
                                          e, statuses, types, nearest_indexed.tags, min_importance, since, until,
                                          recipient, agent, historical, at)
                                  and memory_internal.passes_mood(e, bars)
                               offset 0)
                       or has_facts
                          and exists (select
                                        from memory.semantic_memory f
                                       where f.bank_id = bank and f.memory_id = v.memory_id
                                         and memory_internal.is_believed(f, least_confidence, at)
                                         and (facts is null or f.memory_id = any (facts))
                                      offset 0) as passes
                  from memory.indexed_vector v
                 where v.bank_id = bank and v.model_id = model
                 order by distance
                offset 0) as n
         where n.passes or tentative;
    while cardinality(found_ids) < count + least(count, rejected) loop
        fetch nearest into memory_id, distance, passes;
        exit when not found;
        if not passes then
            rejected := rejected + 1;
            if rejected > greatest(ef_search / 2, 2 * cardinality(found_ids)) then
                close nearest;
                return;
            end if;
        elsif memory_id <> all (found_ids) then  -- else another part of a memory
            found_ids := found_ids || memory_id;
            distances := distances || distance;
        end if;
    end loop;
    close nearest;
    return query select * from unnest(found_ids, distances);
end $$;

-- The memories that stand out by themselves, whatever is asked: of the `count` most important and the `count` latest,
-- those that rank best by 0.6 importance + 0.4 recency, the proportion of every profile that looks at both; half of them
-- by the importance as stored, half by what it has faded to. Walks along indexes, two of the episodes and two of the facts
-- that are believed, so one plan serves every bank. `episodes` and `facts`, where given, are all that may be taken.
create or replace function memory_api.salient_memories(
    bank text, count integer, statuses text[], least_confidence double precision, episodes uuid[], facts uuid[],
    historical boolean, at timestamptz)
returns uuid[]
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_sort = off as $$
begin
    perform memory_api.enter_bank(bank);
    return array(
        with pool as materialized (
            (select e.memory_id, e.importance, e.occurred_at, e.access_count
               from memory.episodic_memory e
              where e.bank_id = bank and e.status = any (statuses) and episodes is null
              order by e.importance desc, e.occurred_at desc
              limit count)
             union
            (select e.memory_id, e.importance, e.occurred_at, e.access_count
               from memory.episodic_memory e
              where e.bank_id = bank and e.status = any (statuses) and episodes is null
              order by e.occurred_at desc, e.memory_id desc
              limit count)
             union
            select e.memory_id, e.importance, e.occurred_at, e.access_count
              from unnest(episodes) as f (memory_id)
             cross join lateral (select *
                                   from memory.episodic_memory e
                                  where e.bank_id = bank and e.memory_id = f.memory_id
                                 offset 0) as e
             union
            (select f.memory_id, f.importance, f.occurred_at, f.access_count
               from memory.semantic_memory f
              where f.bank_id = bank and memory_api.is_believed(f, least_confidence, at) and facts is null
              order by f.importance desc, f.occurred_at desc
              limit count)
             union
            (select f.memory_id, f.importance, f.occurred_at, f.access_count
               from memory.semantic_memory f
              where f.bank_id = bank and memory_api.is_believed(f, least_confidence, at) and facts is null
              order by f.occurred_at desc, f.memory_id desc
              limit count)
             union
            select f.memory_id, f.importance, f.occurred_at, f.access_count
              from unnest(facts) as i (memory_id)
             cross join lateral (select *
                                   from memory.semantic_memory f
                                  where f.bank_id = bank and f.memory_id = i.memory_id
                                 offset 0) as f
        ),
        weighed as (
            select p.memory_id, p.importance,
                   0.4 / (1 + greatest(extract(epoch from at - p.occurred_at)::double precision, 0) / 2592000) as recency,
                   memory_api.effective_importance(
                       p.importance, p.occurred_at, case when historical then 0 else p.access_count end, at) as effective
              from pool p
        )
        (select w.memory_id from weighed w order by 0.6 * w.importance + w.recency desc, w.memory_id limit (count + 1) / 2)
         union
        (select w.memory_id from weighed w order by 0.6 * w.effective + w.recency desc, w.memory_id limit (count + 1) / 2));
end $$;

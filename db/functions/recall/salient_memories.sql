-- Returns the `count` memories that are salient whatever the query, by a profile's importance and recency weights
-- and its `fades` (memory_service/profiles.py; a profile with neither weight gets 0.6 and 0.4).
--   profiles that weigh similarity: of the `count` most important and the `count` latest, the best, half by the
--   stored importance and half by the decayed one
--   others: the best `count` exactly: the latest if only recency is weighed, else rank_salient_memories over all
--   rows of the bank, with `labels`, the mood's emotions, if the profile weighs them
-- `episodes` and `facts`, if given, restrict the result and are all scored. Otherwise four index scans, two of
-- episodes and two of believed facts, so that one plan serves every bank.
create or replace function memory_internal.salient_memories(
    bank text, count integer, statuses text[], least_confidence double precision, episodes uuid[], facts uuid[],
    profile jsonb, labels text[], historical boolean, at timestamptz)
returns uuid[]
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_sort = off as $$
declare
    exact constant boolean := coalesce((profile ->> 'similarity')::double precision, 0) = 0;
    fades constant boolean := coalesce((profile ->> 'fades')::boolean, true);
    importance_weight double precision :=
        coalesce(memory_internal.flush_to_zero((profile ->> 'importance')::double precision), 0);
    recency_weight double precision :=
        coalesce(memory_internal.flush_to_zero((profile ->> 'recency')::double precision), 0);
    half constant integer := (count + 1) / 2;
begin
    perform memory_internal.enter_bank(bank);
    if importance_weight + recency_weight = 0 then
        importance_weight := 0.6;
        recency_weight := 0.4;
    end if;
    if episodes is not null
       or exact and (importance_weight > 0 or labels is not null and (profile ->> 'emotion')::double precision > 0)
    then
        return memory_internal.rank_salient_memories(
            bank, count,
            coalesce(episodes, array(
                select e.memory_id from memory.episodic_memory e where e.bank_id = bank and e.status = any (statuses))),
            coalesce(facts, array(
                select f.memory_id
                  from memory.semantic_memory f
                 where f.bank_id = bank and memory_internal.is_believed(f, least_confidence, at))),
            profile || jsonb_build_object('importance', importance_weight, 'recency', recency_weight),
            labels, historical, at);
    end if;
    if exact then
        return array(
            select l.memory_id
              from ((select e.memory_id, e.occurred_at
                       from memory.episodic_memory e
                      where e.bank_id = bank and e.status = any (statuses)
                      order by e.occurred_at desc, e.memory_id desc
                      limit count)
                     union all
                    (select f.memory_id, f.occurred_at
                       from memory.semantic_memory f
                      where f.bank_id = bank and memory_internal.is_believed(f, least_confidence, at)
                      order by f.occurred_at desc, f.memory_id desc
                      limit count)) as l
             order by l.occurred_at desc, l.memory_id
             limit count);
    end if;
    return array(
        with scored as materialized (
            select f.memory_id, importance_weight * f.importance + f.recency as stored,
                   importance_weight * f.faded_importance + f.recency as ranked
              from (select p.memory_id, memory_internal.flush_to_zero(p.importance) as importance,
                           recency_weight * memory_internal.recency(p.occurred_at, at) as recency,
                           case when fades then memory_internal.effective_importance(
                               p.importance, p.occurred_at, case when historical then 0 else p.access_count end, at)
                           else memory_internal.flush_to_zero(p.importance) end as faded_importance
                      from ((select e.memory_id, e.importance, e.occurred_at, e.access_count
                               from memory.episodic_memory e
                              where e.bank_id = bank and e.status = any (statuses)
                              order by e.importance desc, e.occurred_at desc
                              limit count)
                             union
                            (select e.memory_id, e.importance, e.occurred_at, e.access_count
                               from memory.episodic_memory e
                              where e.bank_id = bank and e.status = any (statuses)
                              order by e.occurred_at desc, e.memory_id desc
                              limit count)
                             union
                            (select f.memory_id, f.importance, f.occurred_at, f.access_count
                               from memory.semantic_memory f
                              where f.bank_id = bank and memory_internal.is_believed(f, least_confidence, at)
                              order by f.importance desc, f.occurred_at desc
                              limit count)
                             union
                            (select f.memory_id, f.importance, f.occurred_at, f.access_count
                               from memory.semantic_memory f
                              where f.bank_id = bank and memory_internal.is_believed(f, least_confidence, at)
                              order by f.occurred_at desc, f.memory_id desc
                              limit count)) as p
                    offset 0) as f
        )
        (select w.memory_id from scored w order by w.ranked desc, w.memory_id limit half)
         union
        (select w.memory_id from scored w order by w.stored desc, w.memory_id limit half));
end $$;

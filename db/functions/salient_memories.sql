-- The memories that stand out by themselves, whatever is asked, as a profile ranks them (its weights, and whether it
-- fades, as memory_service/profiles.py has them).
--   where similarity counts, a choice: of the `count` most important and the `count` latest, those that rank best by the
--   profile's importance and recency, half of them by the importance as stored, half by what it has faded to
--   where it does not, the best `count` exactly: all rows of the bank are weighed, unless recency alone counts. With
--   `labels`, the mood's emotions, where the profile weighs those; what is above its floor comes first.
-- A profile that weighs neither importance nor recency gets 0.6 and 0.4 of them. Walks along indexes, two of the episodes
-- and two of the facts that are believed, and probes of keys, so one plan serves every bank. `episodes` and `facts`, where
-- given, are all that may be taken.
create or replace function memory_api.salient_memories(
    bank text, count integer, statuses text[], least_confidence double precision, episodes uuid[], facts uuid[],
    profile jsonb, labels text[], historical boolean, at timestamptz)
returns uuid[]
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_sort = off as $$
declare
    exact constant boolean := coalesce((profile ->> 'similarity')::double precision, 0) = 0;
    fades constant boolean := coalesce((profile ->> 'fades')::boolean, true);
    emotion_weight constant double precision := coalesce((profile ->> 'emotion')::double precision, 0);
    above constant double precision := profile ->> 'floor';
    importance_weight double precision := coalesce((profile ->> 'importance')::double precision, 0);
    recency_weight double precision := coalesce((profile ->> 'recency')::double precision, 0);
    felt constant text[] := case when exact and emotion_weight > 0 then labels end;
begin
    perform memory_api.enter_bank(bank);
    if importance_weight + recency_weight = 0 then
        importance_weight := 0.6;
        recency_weight := 0.4;
    end if;
    if exact and (importance_weight > 0 or felt is not null) then
        episodes := coalesce(episodes, array(
            select e.memory_id from memory.episodic_memory e where e.bank_id = bank and e.status = any (statuses)));
        facts := coalesce(facts, array(
            select f.memory_id
              from memory.semantic_memory f
             where f.bank_id = bank and memory_api.is_believed(f, least_confidence, at)));
    end if;
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
        figures as (
            select p.memory_id, p.importance,
                   case when fades then memory_api.effective_importance(
                       p.importance, p.occurred_at, case when historical then 0 else p.access_count end, at)
                   else p.importance end as faded,
                   recency_weight
                   / (1 + greatest(date_part('epoch', at - p.occurred_at), 0) / 2592000)
                   + case when felt is null then 0 else emotion_weight * (
                       select count(distinct label)
                         from memory.episodic_memory e
                        cross join unnest(e.emotions) as label
                        where e.bank_id = bank and e.memory_id = p.memory_id and label = any (felt)) end as besides
              from pool p
            offset 0
        ),
        weighed as (
            select f.memory_id, importance_weight * f.importance + f.besides as stored,
                   importance_weight * f.faded + f.besides as ranked
              from figures f
        )
        (select w.memory_id
           from weighed w
          order by exact and w.stored <= above nulls first, w.ranked desc, w.memory_id
          limit case when exact then count else (count + 1) / 2 end)
         union
        (select w.memory_id
           from weighed w
          where not exact
          order by w.stored desc, w.memory_id
          limit (count + 1) / 2));
end $$;

-- Returns the best `count` of these memories by the profile's score (salient_memories, which passes both weights
-- with the profile). Where the profile does not weigh similarity, scores above its floor come first, and emotions
-- shared with `labels` add to the score. Probes by key, so that one plan serves every bank.
create or replace function memory_internal.rank_salient_memories(
    bank text, count integer, episodes uuid[], facts uuid[], profile jsonb, labels text[], historical boolean,
    at timestamptz)
returns uuid[]
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    exact constant boolean := coalesce((profile ->> 'similarity')::double precision, 0) = 0;
    fades constant boolean := coalesce((profile ->> 'fades')::boolean, true);
    score_floor constant double precision := case when exact then profile ->> 'floor' end;
    importance_weight constant double precision :=
        memory_internal.flush_to_zero((profile ->> 'importance')::double precision);
    recency_weight constant double precision :=
        memory_internal.flush_to_zero((profile ->> 'recency')::double precision);
    emotion_weight constant double precision := coalesce((profile ->> 'emotion')::double precision, 0);
    mood_labels constant text[] := case when exact and emotion_weight > 0 then labels end;
    half constant integer := (count + 1) / 2;
begin
    perform memory_internal.enter_bank(bank);
    return array(
        with scored as materialized (
            select f.memory_id, importance_weight * f.importance + f.other_terms as stored,
                   importance_weight * f.faded_importance + f.other_terms as ranked
              from (select p.memory_id, memory_internal.flush_to_zero(p.importance) as importance,
                           case when fades then memory_internal.effective_importance(
                               p.importance, p.occurred_at, case when historical then 0 else p.access_count end, at)
                           else memory_internal.flush_to_zero(p.importance) end as faded_importance,
                           recency_weight * memory_internal.recency(p.occurred_at, at)
                           + case when mood_labels is null then 0 else emotion_weight * (
                               select count(distinct label)
                                 from unnest(p.emotions) as label
                                where label = any (mood_labels)) end as other_terms
                      from (select e.memory_id, e.importance, e.occurred_at, e.access_count, e.emotions
                              from unnest(episodes) as i (memory_id)
                             cross join lateral (select *
                                                   from memory.episodic_memory e
                                                  where e.bank_id = bank and e.memory_id = i.memory_id
                                                 offset 0) as e
                             union all
                            select f.memory_id, f.importance, f.occurred_at, f.access_count, '{}'
                              from unnest(facts) as i (memory_id)
                             cross join lateral (select *
                                                   from memory.semantic_memory f
                                                  where f.bank_id = bank and f.memory_id = i.memory_id
                                                 offset 0) as f) as p
                    offset 0) as f
        )
        (select w.memory_id
           from scored w
          order by w.stored <= score_floor nulls first, w.ranked desc, w.memory_id
          limit case when exact then count else half end)
         union
        (select w.memory_id from scored w where not exact order by w.stored desc, w.memory_id limit half));
end $$;

-- Returns the candidates of a compaction, episodes, facts and procedures (docs/design.md, "Context"), each once, at
-- most `fetch_count`, best first by the weights of the profile. Facts are those believed at `at` with the bank's
-- deprecation_confidence, procedures those in force that are not to be avoided. `importance` is the stored one, because
-- a compaction includes old landmarks whether decayed or not.
-- One scan of the bank's rows evaluates all four, so that none displaces another before the union (measured: 6,500
-- rows 42 ms, 100,000 rows 220 ms). The text is parsed, so that Ann is not found in "planned", but only if it
-- contains the letters of the name; for scripts without spaces between words or particles the letters suffice.
create or replace function memory_api.compaction_candidates(
    bank text, recipient text, purpose text, statuses text[], fetch_count integer,
    importance_weight double precision, recency_weight double precision, recency_days double precision,
    historical boolean default false, at timestamptz default now())
returns table (memory_id uuid, type text, content text, occurred_at timestamptz, importance double precision,
               valence double precision, emotions text[], topics text[], tags_of text[], metadata jsonb, source text,
               confidence double precision, unconfirmed boolean, reasons text[])
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    bank_settings constant jsonb := memory_internal.bank_settings(bank);
    min_importance constant double precision :=
        coalesce((bank_settings ->> 'compaction_importance')::double precision, 0.8);
    recent_days constant double precision := coalesce((bank_settings ->> 'compaction_days')::double precision, 90);
    least_confidence constant double precision := memory_internal.deprecation_confidence(bank_settings);
begin
    perform memory_internal.require_bank(bank);
    return query
        with request as materialized (
            select lower(recipient) as name, phraseto_tsquery('simple', recipient) as phrase,
                   recipient ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]'
                       as unspaced,
                   array_append(regexp_split_to_array(lower(purpose), '[^[:alnum:]]+'), lower(purpose)) as purposes
        ),
        candidates as (
            select e.memory_id, e.importance, e.occurred_at, e.summary as content, e.recipients || e.entities as names,
                   e.tags
              from memory.episodic_memory e
             where e.bank_id = bank and e.status = any (statuses) and (not historical or e.occurred_at <= at)
             union all
            select f.memory_id, f.importance, f.occurred_at, f.fact,
                   f.recipients || memory_internal.display_subject(bank, f.subject) || f.value, f.tags
              from memory.semantic_memory f
             where f.bank_id = bank and memory_internal.is_believed(f, least_confidence, at)
             union all
            select p.memory_id, p.importance, p.occurred_at, p.content || ' ' || p.situation, p.recipients, p.tags
              from memory.procedural_memory p
             where p.bank_id = bank and memory_internal.is_in_force(p, at)
               and not memory_internal.is_avoided(p.worked, p.failed)
               and not (p.kind = 'habit' and memory_internal.is_ended_habit(bank, p.memory_id, at))
        ),
        classified as (
            select o.memory_id, o.importance, o.occurred_at,
                   greatest(extract(epoch from at - o.occurred_at) / 86400, 0)::double precision as age_days,
                   o.importance > min_importance as is_important,
                   exists (select from unnest(o.names) as n(name) where lower(n.name) = a.name)
                       or (strpos(lower(o.content), a.name) > 0
                           and (a.unspaced or to_tsvector('simple', o.content) @@ a.phrase)) as is_for_recipient,
                   exists (select from unnest(o.tags) as t(tag) where t.tag <> '' and lower(t.tag) = any (a.purposes))
                       as is_for_purpose
              from candidates o
             cross join request a
        ),
        best as (
            select j.memory_id,
                   importance_weight * memory_internal.flush_to_zero(j.importance)
                       + recency_weight / (1 + j.age_days / recency_days) as score,
                   array_remove(array[
                       case when j.is_important then 'important' end,
                       case when j.age_days <= recent_days then 'recent' end,
                       case when j.is_for_recipient then 'for_recipient' end,
                       case when j.is_for_purpose then 'for_purpose' end], null) as reasons
              from classified j
             where j.is_important or j.age_days <= recent_days or j.is_for_recipient or j.is_for_purpose
             order by score desc, j.memory_id
             limit fetch_count
        )
        select b.memory_id, m.*, b.reasons
          from best b
         cross join lateral (
            select 'episodic', e.summary, e.occurred_at, e.importance, e.emotional_valence, e.emotions, e.topics,
                   e.tags, e.metadata, e.source, null::double precision, false
              from memory.episodic_memory e
             where e.bank_id = bank and e.memory_id = b.memory_id
             union all
            select 'semantic', f.fact, f.occurred_at, f.importance, null, '{}', '{}', f.tags, f.metadata, f.source,
                   memory_internal.fact_confidence(f, at),
                   exists (select from memory_internal.effective_conflicts(bank, f.memory_id) as c where c.open)
              from memory.semantic_memory f
             where f.bank_id = bank and f.memory_id = b.memory_id
             union all
            select 'procedural', memory_internal.procedure_text(p.content, p.steps), p.occurred_at, p.importance, null, '{}', '{}', p.tags, p.metadata, p.source,
                   p.confidence, false
              from memory.procedural_memory p
             where p.bank_id = bank and p.memory_id = b.memory_id) as m
         order by b.score desc, b.memory_id;
end $$;

-- What recall_candidates answers of the memories that its arms found, each once. Of a fact, `content` is its text and
-- `occurred_at` its last confirmation.
--   confidence   of a fact, as faded at `at`; null for an episode
--   unconfirmed  whether a fact is in a conflict that nobody has settled
--   cosine       of the query and the memory (its nearest part); null without a vector
--   asked        cosine of the query and the question that the memory answers; null where it answers none
--   found        0..1: the share of the query's words that the memory has, each counted by its rarity in this bank; a
--                word said once in the memory itself gives 0.61 of its share, said more often up to 1 (ts_rank)
--   by_named     whether somebody named in the query speaks in it, or the fact is about them
-- Nothing but probes by key (`offset 0`), so one plan serves every bank.
create or replace function memory_api.candidate_figures(
    bank text, memories uuid[], model text, query public.halfvec, terms tsquery[], rarity double precision[],
    named text[], label_weights real[], historical boolean, at timestamptz)
returns table (memory_id uuid, type text, content text, occurred_at timestamptz, importance double precision,
               effective_importance double precision, valence double precision, emotions text[], topics text[],
               tags_of text[], metadata jsonb, source text, status text, confidence double precision,
               unconfirmed boolean, cosine double precision, asked double precision, found double precision,
               by_named boolean)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    total_rarity constant double precision := (select sum(r) from unnest(rarity) as r);
begin
    perform memory_api.enter_bank(bank);
    return query
        select c.memory_id, e.type, e.content, e.occurred_at, e.importance,
               memory_api.effective_importance(
                   e.importance, e.occurred_at, case when historical then 0 else e.access_count end, at),
               e.valence, e.emotions, e.topics, e.tags, e.metadata, e.source, e.status, e.confidence, e.unconfirmed,
               own.cosine, prior.cosine, coalesce(w.found / nullif(total_rarity, 0), 0),
               coalesce(m.speakers && named, false)
          from (select distinct i as memory_id from unnest(memories) as i) as c
          left join lateral (select *
                               from memory.memory_text m
                              where m.bank_id = bank and m.memory_id = c.memory_id
                             offset 0) as m on true
         cross join lateral (
            select 'episodic' as type, e.summary as content, e.occurred_at, e.importance, e.access_count,
                   e.emotional_valence as valence, e.emotions, e.topics, e.tags, e.metadata, e.source, e.status,
                   null::double precision as confidence, false as unconfirmed
              from memory.episodic_memory e
             where m.tier is distinct from 'semantic' and e.bank_id = bank and e.memory_id = c.memory_id
             union all
            select 'semantic', f.fact, f.occurred_at, f.importance, f.access_count, null, '{}', '{}', f.tags,
                   f.metadata, f.source, f.status,
                   memory_api.effective_confidence(
                       f.confidence, f.importance, f.last_confirmed, f.status, f.pinned, at),
                   f.valid_to is null and (
                       exists (select from memory.fact_conflict o
                                 join memory.semantic_memory a on a.bank_id = bank and a.memory_id = o.other_id
                                where o.bank_id = bank and o.one_id = f.memory_id and o.resolution is null
                                  and a.valid_to is null and a.retracted_at is null and a.status <> 'merged_into' offset 0)
                       or exists (select from memory.fact_conflict o
                                    join memory.semantic_memory a on a.bank_id = bank and a.memory_id = o.one_id
                                   where o.bank_id = bank and o.other_id = f.memory_id and o.resolution is null
                                     and a.valid_to is null and a.retracted_at is null and a.status <> 'merged_into'
                                  offset 0))
              from memory.semantic_memory f
             where m.tier is distinct from 'episodic' and f.bank_id = bank and f.memory_id = c.memory_id
            offset 0) as e
         cross join lateral (
            select 1 - min(v.embedding operator(public.<=>) query) as cosine
              from memory.memory_vector v
             where v.bank_id = bank and v.model_id = model and v.memory_id = c.memory_id) as own
         cross join lateral (
            select 1 - min(v.embedding operator(public.<=>) query) as cosine
              from memory.memory_vector v
             where v.bank_id = bank and v.model_id = model and v.memory_id = m.answers) as prior
         cross join lateral (
            select sum(t.rarity * ts_rank(label_weights, s.words, t.term)) as found
              from (select m.search || m.around as words offset 0) as s
             cross join unnest(terms, rarity) as t (term, rarity)) as w;
end $$;

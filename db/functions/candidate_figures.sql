-- What recall_candidates answers of the memories that its arms found, each once. Of a fact, `content` is its text and
-- `occurred_at` its last confirmation.
--   confidence   of a fact, as faded at `at`; null for an episode
--   unconfirmed  whether a fact is in a conflict that nobody has settled
--   cosine       of the query and the memory (its nearest part); null without a vector
--   asked        cosine of the query and the question that the memory answers; null where it answers none
--   found        0..1: the share of the query's words that the memory has, each counted by its rarity in this bank; a
--                word said once in the memory itself gives 0.61 of its share, said more often up to 1 (ts_rank)
--   by_named     whether somebody named in the query speaks in it, or the fact is about them
-- Words and vectors are read by one scan of the key for all memories, which costs half of a probe for each, and hashed: they
-- have no other index that the planner could take. The memories themselves have, and are probed for one by one; so one plan
-- serves every bank (`offset 0`).
create or replace function memory_api.candidate_figures(
    bank text, memories uuid[], model text, query public.halfvec, terms tsquery[], rarity double precision[],
    named text[], label_weights real[], historical boolean, at timestamptz)
returns table (memory_id uuid, type text, content text, occurred_at timestamptz, importance double precision,
               effective_importance double precision, valence double precision, emotions text[], topics text[],
               tags_of text[], metadata jsonb, source text, status text, confidence double precision,
               unconfirmed boolean, cosine double precision, asked double precision, found double precision,
               by_named boolean)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_nestloop = off set enable_mergejoin = off as $$
declare
    total_rarity constant double precision := (select sum(r) from unnest(rarity) as r);
begin
    perform memory_api.enter_bank(bank);
    return query
        select c.memory_id, e.type, e.content, e.occurred_at, e.importance,
               memory_api.effective_importance(
                   e.importance, e.occurred_at, case when historical then 0 else e.access_count end, at),
               e.valence, e.emotions, e.topics, e.tags, e.metadata, e.source, e.status, e.confidence, e.unconfirmed,
               own.cosine,
               case when m.answers is not null then (
                   select 1 - min(v.embedding operator(public.<=>) query)
                     from memory.memory_vector v
                    where v.bank_id = bank and v.model_id = model and v.memory_id = m.answers) end,
               coalesce(w.found / nullif(total_rarity, 0), 0),
               coalesce(m.speakers && named, false)
          from (select distinct i as memory_id from unnest(memories) as i) as c
          left join (select m.memory_id, m.tier, m.search || m.around as words, m.speakers, m.answers
                       from memory.memory_text m
                      where m.bank_id = bank and m.memory_id = any (memories)
                     offset 0) as m on m.memory_id = c.memory_id
          left join (select v.memory_id, 1 - min(v.distance) as cosine
                       from (select v.memory_id, v.embedding operator(public.<=>) query as distance
                               from memory.memory_vector v
                              where v.bank_id = bank and v.model_id = model and v.memory_id = any (memories)
                             offset 0) as v
                      group by v.memory_id
                     offset 0) as own on own.memory_id = c.memory_id
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
                                where o.bank_id = bank and o.one_id = f.memory_id and o.resolution is null
                                  and exists (select from memory.semantic_memory a
                                               where a.bank_id = bank and a.memory_id = o.other_id and a.valid_to is null
                                                 and a.retracted_at is null and a.status <> 'merged_into' offset 0)
                               offset 0)
                       or exists (select from memory.fact_conflict o
                                   where o.bank_id = bank and o.other_id = f.memory_id and o.resolution is null
                                     and exists (select from memory.semantic_memory a
                                                  where a.bank_id = bank and a.memory_id = o.one_id and a.valid_to is null
                                                    and a.retracted_at is null and a.status <> 'merged_into' offset 0)
                                  offset 0))
              from memory.semantic_memory f
             where m.tier is distinct from 'episodic' and f.bank_id = bank and f.memory_id = c.memory_id
            offset 0) as e
         cross join lateral (
            select sum(t.rarity * ts_rank(label_weights, m.words, t.term)) as found
              from unnest(terms, rarity) as t (term, rarity)) as w;
end $$;

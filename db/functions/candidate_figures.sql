-- What the memories that the arms of memory_api.recall_candidates found have to do with a query, each once: `near`, at
-- `distances`, and `others`.
--   cosine    of the query and the memory (its nearest part); null without a vector
--   asked     cosine of the query and the question that the memory answers; null where it answers none
--   found     0..1: the share of the query's words that the memory has, each counted by its rarity in this bank; a word
--             said once in the memory itself gives 0.61 of its share, said more often up to 1 (ts_rank)
--   by_named  whether somebody named in the query speaks in it, or the fact is about them
-- Without `by_words` the last three and the tier are left out. Words and vectors are read by one scan of the key for all
-- memories, which costs half of a probe for each, and hashed: they have no other index that the planner could take.
create or replace function memory_api.candidate_figures(
    bank text, near uuid[], distances double precision[], others uuid[], model text, query public.halfvec,
    by_words boolean, terms tsquery[], rarity double precision[], named text[], label_weights real[])
returns table (memory_id uuid, tier text, cosine double precision, asked double precision, found double precision,
               by_named boolean)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_nestloop = off set enable_mergejoin = off as $$
declare
    total_rarity constant double precision := (select sum(r) from unnest(rarity) as r);
    memories constant uuid[] := near || others;
begin
    perform memory_api.enter_bank(bank);
    return query
        select c.memory_id, m.tier, 1 - coalesce(n.distance, own.distance),
               case when m.answers is not null then (
                   select 1 - min(v.embedding operator(public.<=>) query)
                     from memory.memory_vector v
                    where v.bank_id = bank and v.model_id = model and v.memory_id = m.answers) end,
               coalesce(w.found / nullif(total_rarity, 0), 0),
               coalesce(m.speakers && named, false)
          from (select distinct i as memory_id from unnest(memories) as i) as c
          left join unnest(near, distances) as n (memory_id, distance) on n.memory_id = c.memory_id
          left join (select m.memory_id, m.tier, m.speakers, m.answers,
                            case when length(m.around) = 0 then m.search else m.search || m.around end as words
                       from memory.memory_text m
                      where by_words and m.bank_id = bank and m.memory_id = any (memories)
                     offset 0) as m on m.memory_id = c.memory_id
          left join (select v.memory_id, min(v.distance) as distance
                       from (select v.memory_id, v.embedding operator(public.<=>) query as distance
                               from memory.memory_vector v
                              where v.bank_id = bank and v.model_id = model and v.memory_id = any (others)
                             offset 0) as v
                      group by v.memory_id
                     offset 0) as own on own.memory_id = c.memory_id
         cross join lateral (
            select sum(t.rarity * ts_rank(label_weights, m.words, t.term)) as found
              from unnest(terms, rarity) as t (term, rarity)) as w;
end $$;

-- Returns the raw figures of the memories found by the arms of recall_candidates, each memory once.
--   cosine       between the query and the memory's own text (its nearest part); null without a vector
--   reply_cosine between the query and the assistant's reply in the memory; null without a reply
--   found        0..1: share of the query's words that the memory contains, weighted by their rarity in this bank; a
--                word that occurs once in the memory's own text gives 0.61 of its share, more often up to 1
--                (ts_rank)
--   by_named     whether a person named in the query is a speaker of the episode or the subject of the fact
--   mentions     kinds of things mentioned (mention_kinds)
--   from_reply   whether the reply matches better than the memory's own text, by cosine or by words
-- Without `by_words` only cosines are returned, not even the tier. Words and vectors are read by one index scan for
-- all memories, which costs half of a probe for each, and hash-joined; the planner settings exclude the
-- alternatives.
create or replace function memory_internal.candidate_features(
    bank text, memories uuid[], model text, query public.halfvec,
    by_words boolean, terms tsquery[], rarity double precision[], named text[], label_weights real[])
returns table (memory_id uuid, tier text, cosine double precision, reply_cosine double precision,
               found double precision, by_named boolean, mentions smallint, from_reply boolean)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_nestloop = off set enable_mergejoin = off as $$
declare
    total_rarity constant double precision := nullif((select sum(r) from unnest(rarity) as r), 0);
begin
    perform memory_internal.enter_bank(bank);
    return query
        select c.memory_id, m.tier, 1 - v.distance, 1 - v.reply_distance,
               coalesce(w.found / total_rarity, 0),
               coalesce(m.speakers && named, false), m.mentions,
               coalesce(v.reply_distance < v.distance, false) or coalesce(r.found > r.own_found, false)
          from (select distinct i as memory_id from unnest(memories) as i) as c
          left join (select m.memory_id, m.tier, m.speakers, m.mentions, m.search,
                            case when length(m.neighbour_words) = 0 then m.search
                                 else m.search || m.neighbour_words end as words,
                            nullif(ts_filter(m.search, '{c}'), '') as reply
                       from memory.memory_text m
                      where by_words and m.bank_id = bank and m.memory_id = any (memories)
                     offset 0) as m on m.memory_id = c.memory_id
          left join (select d.memory_id, min(d.distance) filter (where not d.replies) as distance,
                            min(d.distance) filter (where d.replies) as reply_distance
                       from (select p.memory_id, p.part >= memory_internal.first_reply_part() as replies,
                                    p.embedding operator(public.<=>) query as distance
                               from memory.memory_vector p
                              where p.bank_id = bank and p.model_id = model and p.memory_id = any (memories)
                             offset 0) as d
                      group by d.memory_id
                     offset 0) as v on v.memory_id = c.memory_id
         cross join lateral (
            select sum(t.rarity * ts_rank(label_weights, m.words, t.term)) as found
              from unnest(terms, rarity) as t (term, rarity)) as w
         cross join lateral (
            select sum(t.rarity * ts_rank('{0, 1, 0, 0}', m.reply, t.term)) as found,
                   sum(t.rarity * ts_rank('{0, 0, 0, 1}', m.search, t.term)) as own_found
              from unnest(terms, rarity) as t (term, rarity)
             where m.reply is not null and m.reply @@ t.term) as r;
end $$;

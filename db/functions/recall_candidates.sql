-- The one call of a recall: the memories that may answer a query, each with every raw figure, so that all arms are
-- judged alike (memory_service/recall/evidence.py makes one similarity of them).
--   vector arm   the `fetch_count` nearest, exactly; without a query vector the other arms carry it alone
--   text arm     the `fetch_count` best by any word of `words`, stemmed, their own and their neighbours'
--   salient arm  the `salient_count` most important and as many latest: profiles that rank by those need them
-- Every arm goes on until it has so many that pass the filters: nothing is found first and filtered afterwards.
-- `named` are the words of the query that call one of the bank's speakers. Figures:
--   cosine    of the query and the memory (its nearest part); null without a vector
--   asked     cosine of the query and the question that the memory answers; null where it answers none
--   found     0..1: the share of the query's words that the memory has, each counted by its rarity in this bank; a word
--             said once in the memory itself gives 0.61 of its share, said more often up to 1 (ts_rank)
--   by_named  whether somebody named in the query speaks in it
-- Exact, without an approximate index: 20,000 vectors take 30 ms, a bank at its caps a few, and an index would cost
-- every memory's activation 4 ms. Runs as the owner with the bank in every predicate, because row security keeps the
-- GIN index from being used; plans are made for the values at hand, because a cached plan assumes an average bank.
create or replace function memory_api.recall_candidates(
    bank text, model text, query public.halfvec, words text, named text[], fetch_count integer,
    salient_count integer, statuses text[], types text[] default null, tags text[] default null,
    min_importance double precision default null, since timestamptz default null, until timestamptz default null,
    recipient text default null, agent text default null, historical boolean default false,
    at timestamptz default now())
returns table (memory_id uuid, type text, content text, occurred_at timestamptz, importance double precision,
               effective_importance double precision, valence double precision, emotions text[], topics text[],
               tags_of text[], metadata jsonb, source text, status text, cosine double precision, asked double precision,
               found double precision, by_named boolean)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan set random_page_cost = 1.1 as $$
declare
    label_weights constant real[] := '{0.4, 0.4, 0.8, 1.0}';  -- D neighbours, C, B the question that is answered, A own
    here constant tsquery := ('''' || memory_api.bank_word(bank) || '''')::tsquery;
    asked_words record;
    reach integer;  -- how many of the best of an arm are looked at: some, or all where filters may take many out
begin
    perform memory_api.require_bank(bank);
    select * into asked_words from memory_api.query_words(bank, words);
    if coalesce(types::text, tags::text, min_importance::text, since::text, until::text, recipient, agent) is null
       and not historical then
        reach := 4 * fetch_count;
    end if;
    return query
        with visible as not materialized (
            select e.*
              from memory.episodic_memory e
             where e.bank_id = bank
               and e.status = any (statuses)
               and (types is null or 'episodic' = any (types))
               and (recall_candidates.tags is null or e.tags && recall_candidates.tags)
               and (min_importance is null or e.importance >= min_importance)
               and (since is null or e.occurred_at >= since)
               and (until is null or e.occurred_at <= until)
               and (not historical or e.occurred_at <= at)
               and (recipient is null or recipient = any (e.recipients))
               and (agent is null or e.agent_id = agent)
        ),
        near as (
            select n.memory_id
              from (select v.memory_id, v.embedding operator(public.<=>) query as distance
                      from memory.memory_vector v
                     where v.bank_id = bank and v.model_id = model and query is not null
                     order by distance
                     limit reach) as n
             cross join lateral (select from visible e where e.memory_id = n.memory_id offset 0) as e
             order by n.distance
             limit fetch_count
        ),
        matching as (
            select m.memory_id, m.before_id, m.after_id, m.asks, ts_rank(label_weights, m.search, asked_words.finding) as rank
              from memory.memory_text m
             where m.bank_id = bank and m.search @@ (here && asked_words.finding)
             order by rank desc, m.memory_id
             limit reach
        ),
        told as (
            select t.memory_id
              from (select s.memory_id, sum(s.rank) as rank
                      from (select m.memory_id, m.rank from matching m
                             union all
                            select m.after_id, m.rank * case when m.asks then 0.8 else 0.4 end from matching m
                             union all
                            select m.before_id, m.rank * 0.4 from matching m) as s
                     where s.memory_id is not null
                     group by s.memory_id
                     order by rank desc, s.memory_id
                    offset 0) as t
             cross join lateral (select from visible e where e.memory_id = t.memory_id offset 0) as e
             order by t.rank desc, t.memory_id
             limit fetch_count
        ),
        candidate as (
            select n.memory_id from near n
             union
            select t.memory_id from told t
             union
            (select e.memory_id from visible e order by e.importance desc, e.occurred_at desc limit salient_count)
             union
            (select e.memory_id from visible e order by e.occurred_at desc, e.memory_id desc limit salient_count)
        )
        select e.memory_id, 'episodic', e.summary, e.occurred_at, e.importance,
               memory_api.effective_importance(
                   e.importance, e.occurred_at, case when historical then 0 else e.access_count end, at),
               e.emotional_valence, e.emotions, e.topics, e.tags, e.metadata, e.source, e.status,
               own.cosine, prior.cosine, coalesce(w.found / nullif(asked_words.total_rarity, 0), 0),
               coalesce(m.speakers && named, false)
          from candidate c
          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = c.memory_id
          left join memory.memory_text m on m.bank_id = bank and m.memory_id = c.memory_id
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
             cross join unnest(asked_words.terms, asked_words.rarity) as t (term, rarity)) as w;
end $$;

-- The one call of a recall: the memories that may answer a query, each with every raw figure, so that all arms are
-- judged alike (memory_service/recall/fusion.py makes one similarity of them; memory_internal.candidate_features says what
-- they are). Of a fact, `content` is its text, `occurred_at` its last confirmation, `confidence` the faded one at `at`,
-- and it is `unconfirmed` while it is in a conflict that nobody has settled. Empty emotions, topics, tags and metadata are
-- null: most are, and a list for each of a hundred candidates is what a caller then makes of it.
-- `ended`, the same in every row, tells whether any fact of the bank has an end: where none has,
-- memory_api.superseded_statements finds nothing and need not be called.
--   vector arm   the `fetch_count` nearest, exactly; without a query vector the other arms carry it alone
--   text arm     the `fetch_count` best by any word of `words`, stemmed, in the memory itself or beside it: by the rare
--                words, and where the vector arm comes short by the common ones as well
--   salient arm  the `salient_count` that stand out by importance and recency, as `profile` weighs them, with `labels` the
--                emotions of the mood: profiles that rank by those need them, and find the best of the bank exactly where
--                they do not rank by similarity (memory_internal.salient_memories); others get the latest where vectors are
--                missing and no word finds as many, so that nothing is left out that there is room for
--   facts arm    the `facts_count` nearest facts, however many episodes are nearer, and the five most important ones that
--                are shown whatever the question (memory_internal.is_always_shown): a context has room for them
-- An arm is not asked where its part is null: `query`, `words`, `salient_count`. Without `words` neither words nor speakers
-- are looked at, nor what a memory answers: by `query` alone it is a plain vector search.
-- Episodes and facts are found by the same arms. Every arm goes on until it has so many that pass the filters: nothing is
-- found first and filtered afterwards. `bars`, what the mood keeps out (memory_service/recall/rerank.py and mood.py, which
-- judge what comes back once more), is a filter too, of episodes: a `valence` more than `apart`, none of `topics` (in
-- lower case) unless `important`, a `strong` valence of the other sign than the one `felt` unless `important`. Only the
-- vector arm besides gives the nearest whatever their mood, for the trace to show what was kept out. A fact has to be
-- believed at `at` with `least_confidence`, never less than the bank's deprecation_confidence, which null stands for
-- (memory_internal.is_believed); it happened when it was last confirmed.
-- `named` are the words of the query that call one of the bank's speakers, `doubtful` those that may be misspelt, in lower
-- case: where the bank does not have them, it is searched for similar words (memory_internal.similar_words).
-- Exact, by comparing all vectors of the bank, up to some 20,000 of them (30 ms); larger banks have an HNSW index
-- (memory_internal.nearest_indexed), which would cost every small bank 4 ms for each memory that becomes active. There a
-- filter that at most 20,000 episodes pass is exact, and of the words only the rarest find memories
-- (memory_internal.query_words). A mood's bars read all its episodes. Runs as the owner with the bank in every predicate,
-- because row security keeps the GIN index from being used. A generic plan assumes an average bank: statements with
-- words use custom plans in all but small banks. Each arm is a statement of its own: planning them one by one takes
-- 0.3 ms, in one statement 2 ms.
create or replace function memory_api.recall_candidates(
    bank text, model text, query public.halfvec, words text, named text[], fetch_count integer,
    salient_count integer, facts_count integer, statuses text[], least_confidence double precision,
    profile jsonb, labels text[] default null, types text[] default null, tags text[] default null,
    min_importance double precision default null,
    since timestamptz default null, until timestamptz default null, recipient text default null, agent text default null,
    bars jsonb default null, historical boolean default false, at timestamptz default now(),
    doubtful text[] default null)
returns table (memory_id uuid, type text, content text, occurred_at timestamptz, importance double precision,
               effective_importance double precision, valence double precision, emotions text[], topics text[],
               tags_of text[], metadata jsonb, source text, status text, confidence double precision,
               unconfirmed boolean, cosine double precision, asked double precision, found double precision,
               by_named boolean, reply text, reply_cosine double precision,
               mentions smallint, from_reply boolean, conversation_id text, ended boolean, vital boolean)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set random_page_cost = 1.1 as $$
declare
    small constant integer := 1000;
    scanned constant integer := 20000;
    wide boolean := false;  -- a filter of a large bank that more episodes pass: each arm applies it to what it finds
    label_weights constant real[] := '{0.4, 0.4, 0.8, 1.0}';  -- D neighbours, C, B the question that is answered, A own
    all_recallable constant boolean := statuses @> '{active,archived}';  -- of episodes only these have words
    -- So many times `fetch_count` of those that match best are looked at first: some of them are not to be seen, and more
    -- where the archived are not.
    times constant integer := case when all_recallable then 3 else 4 end;
    indexed boolean;  -- a large bank, with an HNSW index (memory.vector_index)
    memories bigint;
    terms tsquery[];
    rarity double precision[];
    near uuid[] := '{}';
    distances double precision[] := '{}';
    told uuid[] := '{}';
    salient uuid[] := '{}';
    most_salient integer;
    known uuid[] := '{}';
    looked integer;
    matched bigint;
    finding tsquery;
    finding_here tsquery;
    matches uuid[];
    common_too boolean := false;
    wanted bigint;
    short boolean;  -- the vector arm found less than there may be
    filtered constant boolean := historical or coalesce(
        types::text, tags::text, min_importance::text, since::text, until::text, recipient, agent) is not null;
    mood_valence constant double precision := bars ->> 'valence';
    mood_topics text[];
    felt constant double precision := bars ->> 'felt';
    passing uuid[];  -- what passes the filters, where there are any
    fitting_episodes uuid[];  -- and what the mood leaves of it
    fitting_facts uuid[];
    fitting uuid[];
    reach uuid[];
    beside_the_mood uuid[] := '{}';
    others uuid[];
    by_vectors boolean;  -- all that can be said of them is known already
    language regconfig;
    has_facts boolean;  -- where there are none, nothing is looked up for them
    has_ended boolean;
begin
    perform memory_internal.enter_bank(bank);
    select coalesce(b.settings ->> 'language', 'english')::regconfig,
           greatest(least_confidence, memory_internal.deprecation_confidence(b.settings)),
           exists (select from memory.semantic_memory f where f.bank_id = bank),
           exists (select from memory.semantic_memory f where f.bank_id = bank and f.valid_to is not null),
           exists (select from memory.vector_index x
                    where x.bank_id = bank and x.model_id = model and x.state = 'ready')
      into language, least_confidence, has_facts, has_ended, indexed
      from memory.bank b
     where b.bank_id = bank;
    if not found then
        perform memory_internal.require_bank(bank);
    end if;
    if words is not null then
        select w.memories, w.terms, w.rarity, w.finding, w.finding_here
          into memories, terms, rarity, finding, finding_here
          from memory_internal.query_words(bank, language, words, doubtful, indexed) as w;
    end if;
    if memories > small or indexed then
        perform set_config('plan_cache_mode', 'force_custom_plan', true);
        perform set_config('enable_seqscan', 'on', true);
    end if;
    if indexed and filtered and bars is null then
        wide := scanned < (
            select count(*)
              from (select from memory.episodic_memory e
                     where e.bank_id = bank
                       and memory_internal.passes_filters(
                               e, statuses, types, recall_candidates.tags, min_importance, since, until, recipient, agent,
                               historical, at)
                     limit scanned + 1) as e);
    end if;
    if filtered or bars is not null then
        fitting_facts := array(
            select f.memory_id
              from memory.semantic_memory f
             where f.bank_id = bank
               and memory_internal.is_believed(f, least_confidence, at)
               and (types is null or 'semantic' = any (types))
               and (recall_candidates.tags is null or f.tags && recall_candidates.tags)
               and (min_importance is null or f.importance >= min_importance)
               and (since is null or f.occurred_at >= since)
               and (until is null or f.occurred_at <= until)
               and (recipient is null or recipient = any (f.recipients))
               and (agent is null or f.agent_id = agent));
    end if;
    if (filtered or bars is not null) and not wide then
        mood_topics := case when bars ? 'topics' then array(select jsonb_array_elements_text(bars -> 'topics')) end;
        select coalesce(array_agg(e.memory_id), '{}'),
               coalesce(array_agg(e.memory_id) filter (
                   where (mood_valence is null or e.emotional_valence is null
                          or abs(e.emotional_valence - mood_valence) <= (bars ->> 'apart')::double precision)
                     and (mood_topics is null or e.importance >= (bars ->> 'important')::double precision
                          or exists (select from unnest(e.topics) as topic where lower(topic) = any (mood_topics)))
                     and (felt is null or e.emotional_valence is null
                          or e.importance >= (bars ->> 'important')::double precision
                          or sign(e.emotional_valence) * sign(felt) >= 0
                          or abs(e.emotional_valence) <= (bars ->> 'strong')::double precision)), '{}')
          into passing, fitting_episodes
          from memory.episodic_memory e
         where e.bank_id = bank
           and memory_internal.passes_filters(
                   e, statuses, types, recall_candidates.tags, min_importance, since, until, recipient, agent, historical,
                   at);
        passing := case when filtered then passing || fitting_facts end;
        fitting := fitting_episodes || fitting_facts;
    end if;

    reach := passing;
    while query is not null loop
        if reach is null then
            -- Over-fetch factors: a memory has several vectors, and some are filtered out. One is enough for most banks.
            foreach looked in array case when wide then array[4, 32] when indexed then array[2, 16] else array[4] end loop
                select coalesce(array_agg(n.memory_id), '{}'), coalesce(array_agg(n.distance), '{}') into near, distances
                  from (
                    select n.memory_id, n.distance
                      from (select s.memory_id, min(s.distance) as distance
                              from ((select v.memory_id, v.embedding operator(public.<=>) query as distance
                                       from memory.memory_vector v
                                      where not indexed and v.bank_id = bank and v.model_id = model
                                      order by distance
                                      limit looked * fetch_count)
                                     union all
                                    select h.memory_id, h.distance
                                      from memory_internal.nearest_indexed(bank, model, query, looked * fetch_count) as h
                                     where indexed) as s
                             group by s.memory_id
                             order by distance, s.memory_id
                            offset 0) as n
                     where exists (select
                                     from memory.episodic_memory e
                                    where e.bank_id = bank and e.memory_id = n.memory_id and e.status = any (statuses)
                                      and (not wide or memory_internal.passes_filters(
                                              e, statuses, types, recall_candidates.tags, min_importance, since, until,
                                              recipient, agent, historical, at))
                                   offset 0)
                        or has_facts
                           and exists (select
                                         from memory.semantic_memory f
                                        where f.bank_id = bank and f.memory_id = n.memory_id
                                          and memory_internal.is_believed(f, least_confidence, at)
                                          and (not wide or f.memory_id = any (fitting_facts))
                                       offset 0)
                     order by n.distance, n.memory_id
                     limit fetch_count) as n;
                exit when cardinality(near) >= fetch_count;
            end loop;
        end if;
        if memories is null and cardinality(near) < fetch_count then
            select count(*) into memories
              from (select from memory.memory_text m where m.bank_id = bank limit fetch_count) as m;
        end if;
        -- With filters, or where those looked at were parts of a few long texts or not to be seen: all of them.
        if cardinality(near) < least(fetch_count, memories) then
            select coalesce(array_agg(n.memory_id), '{}'), coalesce(array_agg(n.distance), '{}') into near, distances
              from (
                select v.memory_id, min(v.embedding operator(public.<=>) query) as distance
                  from (select e.memory_id
                          from memory.episodic_memory e
                         where e.bank_id = bank and e.status = any (statuses)
                           and (not wide or memory_internal.passes_filters(
                                   e, statuses, types, recall_candidates.tags, min_importance, since, until, recipient,
                                   agent, historical, at))
                         union all
                        select f.memory_id
                          from memory.semantic_memory f
                         where f.bank_id = bank and memory_internal.is_believed(f, least_confidence, at)
                           and (not wide or f.memory_id = any (fitting_facts))) as seen
                  join memory.memory_vector v
                    on v.bank_id = bank and v.model_id = model and v.memory_id = seen.memory_id
                 where reach is null or seen.memory_id = any (reach)
                 group by v.memory_id
                 order by distance, v.memory_id
                 limit fetch_count) as n;
        end if;
        exit when bars is null or near <@ fitting;
        -- What the mood bars is shown as such, and takes nobody's place.
        beside_the_mood := near;
        near := '{}';
        distances := '{}';
        reach := fitting;
    end loop;

    -- Without enough of the nearest, the words have to find what is there: the common ones too, after the rare ones.
    wanted := least(fetch_count, coalesce(cardinality(fitting), memories));
    short := query is null or cardinality(near) < wanted;
    if finding is null and short then
        select string_agg(t::text, ' | ')::tsquery into finding from unnest(terms) as t;
        finding_here := ('''' || memory_internal.bank_lexeme(bank) || '''')::tsquery && finding;
        common_too := true;
    end if;
    while finding is not null loop
        -- Where too many of those that match best are not to be seen: all that match.
        foreach looked in array case when fitting is null then array[times * fetch_count, null] else array[null::integer] end
        loop
            with matching as materialized (
                select m.memory_id, m.tier, m.before_id, m.after_id, m.asks,
                       ts_rank(label_weights, m.search, finding) as rank
                  from memory.memory_text m
                 where m.bank_id = bank and m.search @@ finding_here
                 order by rank desc, m.memory_id
                 limit looked
            ),
            beside as (
                select m.memory_id, m.tier, m.rank from matching m
                 union all
                select m.after_id, 'episodic', m.rank * case when m.asks then 0.8 else 0.4 end from matching m
                 union all
                select m.before_id, 'episodic', m.rank * 0.4 from matching m
            )
            select (select count(*) from matching),
                   array(
                select b.memory_id
                  from (select b.memory_id, b.tier, sum(b.rank) as rank
                          from beside b
                         where b.memory_id is not null and (fitting is null or b.memory_id = any (fitting))
                         group by b.memory_id, b.tier
                         order by rank desc, b.memory_id
                        offset 0) as b
                 where case b.tier
                       when 'episodic' then all_recallable and not wide
                           or exists (select
                                        from memory.episodic_memory e
                                       where e.bank_id = bank and e.memory_id = b.memory_id
                                         and e.status = any (statuses)
                                         and (not wide or memory_internal.passes_filters(
                                                 e, statuses, types, recall_candidates.tags, min_importance, since,
                                                 until, recipient, agent, historical, at))
                                      offset 0)
                       when 'semantic' then
                           exists (select
                                     from memory.semantic_memory f
                                    where f.bank_id = bank and f.memory_id = b.memory_id
                                      and memory_internal.is_believed(f, least_confidence, at)
                                      and (not wide or f.memory_id = any (fitting_facts))
                                   offset 0)
                       end
                 order by b.rank desc, b.memory_id
                 limit fetch_count)
              into matched, matches;
            exit when cardinality(matches) = fetch_count or matched < looked;
        end loop;
        told := told || matches;
        exit when not short or common_too or cardinality(matches) = fetch_count;
        select string_agg(t::text, ' | ')::tsquery into finding from unnest(terms) as t;
        finding_here := ('''' || memory_internal.bank_lexeme(bank) || '''')::tsquery && finding;
        common_too := true;
    end loop;

    if wide and (salient_count > 0 or salient_count = 0 and short) then
        -- A profile that does not rank by similarity is exact, and weighs all of them.
        most_salient := case
            when coalesce((profile ->> 'similarity')::double precision, 0) > 0 or salient_count = 0
            then greatest(salient_count, fetch_count) end;
        fitting_episodes := array(
            (select e.memory_id
               from memory.episodic_memory e
              where e.bank_id = bank
                and memory_internal.passes_filters(
                        e, statuses, types, recall_candidates.tags, min_importance, since, until, recipient, agent,
                        historical, at)
              order by e.importance desc, e.occurred_at desc, e.memory_id desc
              limit most_salient)
             union
            (select e.memory_id
               from memory.episodic_memory e
              where e.bank_id = bank
                and memory_internal.passes_filters(
                        e, statuses, types, recall_candidates.tags, min_importance, since, until, recipient, agent,
                        historical, at)
              order by e.occurred_at desc, e.memory_id desc
              limit most_salient));
    end if;
    if salient_count > 0 then
        salient := memory_internal.salient_memories(
            bank, salient_count, statuses, least_confidence, fitting_episodes, fitting_facts, profile, labels, historical,
            at);
    elsif salient_count = 0 and short and (select count(distinct i) from unnest(near || told) as i) < wanted then
        salient := memory_internal.salient_memories(
            bank, fetch_count, statuses, least_confidence, fitting_episodes, fitting_facts,
            '{"recency": 1}', null, historical, at);
    end if;

    if facts_count > 0 and has_facts then
        known := array(
            select f.memory_id
              from memory.semantic_memory f
              left join memory.memory_vector v
                on query is not null and v.bank_id = bank and v.model_id = model and v.memory_id = f.memory_id
             where f.bank_id = bank and memory_internal.is_believed(f, least_confidence, at)
               and (fitting_facts is null or f.memory_id = any (fitting_facts))
             order by v.embedding operator(public.<=>) query, f.importance desc, f.occurred_at desc, f.memory_id
             limit facts_count)
          || array(
            select f.memory_id
              from memory.semantic_memory f
             where f.bank_id = bank and memory_internal.is_always_shown(f.attribute, f.importance)
               and memory_internal.is_believed(f, least_confidence, at)
               and (fitting_facts is null or f.memory_id = any (fitting_facts))
             order by f.importance desc, f.occurred_at desc, f.memory_id
             limit 5);
    end if;

    others := told || salient || known || beside_the_mood;
    by_vectors := words is null and others = '{}';
    -- The memories themselves have other indexes, and are probed for one by one: one plan serves every bank.
    perform set_config('plan_cache_mode', 'force_generic_plan', true);
    return query
        select c.memory_id, e.type, e.content, e.occurred_at, e.importance,
               memory_internal.effective_importance(
                   e.importance, e.occurred_at, case when historical then 0 else e.access_count end, at),
               e.valence, nullif(e.emotions, '{}'), nullif(e.topics, '{}'), nullif(e.tags, '{}'), nullif(e.metadata, '{}'),
               e.source, e.status, e.confidence, e.unconfirmed,
               c.cosine, c.asked, c.found, c.by_named, e.reply, c.reply_cosine, c.mentions,
               c.from_reply, e.conversation_id, has_ended, e.vital
          from (select f.*
                  from memory_internal.candidate_features(
                           bank, near || others, model, query, words is not null, terms, rarity, named,
                           label_weights) as f
                 where not by_vectors
                 union all
                select n.memory_id, null, 1 - n.distance, null, null, 0, false, null, false
                  from unnest(near, distances) as n (memory_id, distance)
                 where by_vectors) as c
         cross join lateral (
            select 'episodic' as type, e.summary as content, e.occurred_at, e.importance, e.access_count,
                   e.emotional_valence as valence, e.emotions, e.topics, e.tags, e.metadata, e.source, e.status,
                   null::double precision as confidence, false as unconfirmed, e.reply, e.conversation_id,
                   false as vital
              from memory.episodic_memory e
             where c.tier is distinct from 'semantic' and e.bank_id = bank and e.memory_id = c.memory_id
               and e.status = any (statuses)  -- it may have been put away since it was found
             union all
            select 'semantic', f.fact, f.occurred_at, f.importance, f.access_count, null, '{}', '{}', f.tags,
                   f.metadata, f.source, f.status,
                   memory_internal.effective_confidence(
                       f.confidence, f.importance, f.last_confirmed, f.status, f.pinned, f.attribute,
                       f.contradicted_at, at),
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
                                  offset 0)),
                   null, null, coalesce(memory_internal.is_always_shown(f.attribute, f.importance), false)
              from memory.semantic_memory f
             where has_facts and c.tier is distinct from 'episodic' and f.bank_id = bank and f.memory_id = c.memory_id
               and memory_internal.is_believed(f, least_confidence, at)
            offset 0) as e;
end $$;

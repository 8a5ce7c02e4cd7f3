-- Returns the candidates of a recall with all raw figures, in one call, so that candidates of all arms are scored
-- alike (memory_service/recall/fusion.py computes one score; candidate_features describes the figures). For a fact,
-- `content` is its text, `occurred_at` its last confirmation, `confidence` decayed to `at`, and `unconfirmed` is
-- true while it has an open conflict. Empty emotions, topics, tags and metadata are null: most are empty, and null
-- saves the caller a list for each of a hundred candidates. `ended`, the same in every row, is whether any fact of
-- the bank has an end or is retracted; if not, superseded_statements returns nothing and need not be called.
--   meaning      the `fetch_count` nearest, exactly; without a query vector the other arms replace it
--   words        the `fetch_count` best by any stemmed word of `words`, in the memory or its neighbours: by the rare
--                words and, if the arm meaning found too few, by the common ones as well; in large banks by
--                large_text_candidates
--   salience     the `salient_count` best by importance and recency as `profile` weighs them, with `labels` the
--                emotions of the mood; exact for profiles that do not weigh similarity (salient_memories). With
--                salient_count 0: the most recent memories, if vectors are missing and words found fewer than
--                fetch_count
--   facts        the `facts_count` nearest facts, however many episodes are nearer, and the most important vital ones
--                (is_always_shown): twelve by their attribute, three others by their importance;
--                not a state that has likely passed (longest_state)
--   procedures   the `procedures_count` nearest procedures by content, situation and words (procedure_candidates); 0 in
--                contexts, which show those of person_entries, and for other `types`
-- Null disables an arm: `query`, `words`, `salient_count`. Without `words`, words and speakers are not
-- evaluated: with `query` alone it is a plain vector search.
-- Episodes and facts are found by the same arms. Filters apply inside the arms, which continue until enough
-- candidates pass; nothing is filtered afterwards. `bars` are the mood's exclusions (memory_service/recall/rerank.py
-- and mood.py apply them again to the result), a filter of episodes: a `valence` more than `apart` away; none of
-- `topics` (lower case) unless `important`; a `strong` valence with the opposite sign of `felt` unless `important`.
-- The arm meaning also returns the nearest of all moods, so that the trace shows the excluded ones. A fact has to be
-- believed at `at` with `least_confidence` (is_believed), raised to the bank's deprecation_confidence where it is
-- lower or null.
-- `named` are words of the query that name one of the bank's speakers, `doubtful` words that may be misspelt, in
-- lower case: if the bank lacks them, similar words are searched (similar_words). With `names_agent` the query is about
-- the agent: words of its replies count like a memory's own.
-- Exact up to some 20,000 vectors by comparing all of the bank (30 ms); larger banks have an HNSW index
-- (nearest_indexed), which would cost every small bank 4 ms for each memory that becomes active. In these a filter is
-- first applied to the nearest in the index if most episodes of a sample pass (most_pass). If too few of the nearest
-- pass, a filter that at most 20,000 episodes pass is exact (nearest_among); others and a mood's bars are applied
-- within the index scan. Listing 20,001 episodes takes 9 ms, the sample 0.1 ms. Words select candidates as
-- large_text_candidates describes.
-- Raises ME061 if `model`, which embedded the query, is not the bank's embedding model (any longer).
-- Runs as the owner with the bank in every predicate, because row security prevents use of the GIN index. A generic
-- plan assumes an average bank: statements with words use custom plans in all but small banks. Each arm is a
-- separate statement: planning them one by one takes 0.3 ms, as one statement 2 ms.
create or replace function memory_api.recall_candidates(
    bank text, model text, query public.halfvec, words text, named text[], fetch_count integer,
    salient_count integer, facts_count integer, statuses text[], least_confidence double precision,
    profile jsonb, labels text[] default null, types text[] default null, tags text[] default null,
    min_importance double precision default null,
    since timestamptz default null, until timestamptz default null, recipient text default null, agent text default null,
    bars jsonb default null, historical boolean default false, at timestamptz default now(),
    doubtful text[] default null, procedures_count integer default 0, names_agent boolean default false)
returns table (memory_id uuid, type text, content text, occurred_at timestamptz, importance double precision,
               effective_importance double precision, valence double precision, emotions text[], topics text[],
               tags_of text[], metadata jsonb, source text, status text, confidence double precision,
               unconfirmed boolean, cosine double precision, found double precision,
               by_named boolean, reply text, reply_cosine double precision,
               mentions smallint, from_reply boolean, conversation_id text, ended boolean, vital boolean,
               vital_by_attribute boolean)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off
set random_page_cost = 1.1 as $$
declare
    generic_plan_limit constant integer := 1000;
    exact_filter_limit constant integer := 20000;
    index_suffices boolean := false;  -- most of the nearest memories in the index pass the filters
    -- Large bank, and most of the nearest or more than exact_filter_limit pass: each arm applies the filter.
    filter_in_arms boolean := false;
    -- Weights of D neighbours, C reply, B answered question, A own words.
    label_weights constant real[] := array[0.4, case when names_agent then 1.0 else 0.4 end, 0.8, 1.0];
    all_recallable constant boolean := statuses @> '{active,archived}';  -- only these episodes have memory_text rows
    -- Over-fetch factor of the arm words: some matches are filtered out by status, more if archived ones are.
    text_over_fetch constant integer := case when all_recallable then 3 else 4 end;
    indexed boolean;  -- the bank has an HNSW index (memory.vector_index)
    memories bigint;
    terms tsquery[];
    rarity double precision[];
    nearest uuid[] := '{}';
    distances double precision[] := '{}';
    by_text uuid[] := '{}';
    salient uuid[] := '{}';
    salient_limit integer;
    by_facts uuid[] := '{}';
    depth integer;
    match_count bigint;
    finding tsquery;
    finding_here tsquery;
    matches uuid[];
    with_common_words boolean := false;
    wanted_count bigint;
    too_few boolean;  -- the vector arm found fewer than there may be
    filtered constant boolean := historical or coalesce(
        types::text, tags::text, min_importance::text, since::text, until::text, recipient, agent) is not null;
    mood_applied boolean := false;  -- the vector arm searches only what passes the mood's bars
    passing_filters uuid[];  -- memories that pass the filters; null without filters
    eligible_episodes uuid[];  -- those that also pass the mood's bars
    eligible_facts uuid[];
    eligible uuid[];
    search_in uuid[];
    excluded_by_mood uuid[] := '{}';
    by_other_arms uuid[];
    vectors_only boolean;  -- plain vector search: no further figures needed
    language regconfig;
    has_facts boolean;
    has_procedures boolean;
    has_ended boolean;
    used_model text;
begin
    perform memory_internal.enter_bank(bank);
    select memory_internal.text_language(b.settings),
           greatest(least_confidence, memory_internal.deprecation_confidence(b.settings)),
           exists (select from memory.semantic_memory f where f.bank_id = bank),
           procedures_count > 0 and exists (select from memory.procedural_memory p where p.bank_id = bank),
           exists (select from memory.semantic_memory f where f.bank_id = bank and f.valid_to is not null)
           or exists (select from memory.semantic_memory f where f.bank_id = bank and f.retracted_at is not null),
           exists (select from memory.vector_index x
                    where x.bank_id = bank and x.model_id = model and x.state = 'ready'),
           b.embedding_model
      into language, least_confidence, has_facts, has_procedures, has_ended, indexed, used_model
      from memory.bank b
     where b.bank_id = bank;
    if not found then
        perform memory_internal.require_bank(bank);
    elsif used_model <> model then
        raise exception using errcode = 'ME061', message = model;
    end if;
    if words is not null then
        select w.memories, w.terms, w.rarity, w.finding, w.finding_here
          into memories, terms, rarity, finding, finding_here
          from memory_internal.query_words(bank, language, words, doubtful) as w;
    end if;
    if memories > generic_plan_limit or indexed then
        perform set_config('plan_cache_mode', 'force_custom_plan', true);
        perform set_config('enable_seqscan', 'on', true);
    end if;
    if filtered or bars is not null then
        eligible_facts := array(
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
    if indexed and filtered and query is not null and bars is null
       and memory_internal.most_pass(
               bank, statuses, types, recall_candidates.tags, min_importance, since, until, recipient, agent, historical, at)
    then
        select coalesce(array_agg(n.memory_id), '{}'), coalesce(array_agg(n.distance), '{}') into nearest, distances
          from (select n.memory_id, n.distance
                  from memory_internal.nearest_indexed(
                           bank, model, query, fetch_count, statuses, least_confidence, types, recall_candidates.tags,
                           min_importance, since, until, recipient, agent, null, historical, at, eligible_facts,
                           true) as n
                 order by n.distance, n.memory_id
                 limit fetch_count) as n;
        index_suffices := cardinality(nearest) = fetch_count;
    end if;
    if indexed and filtered and not index_suffices then
        select coalesce(array_agg(e.memory_id), '{}'), coalesce(array_agg(e.memory_id) filter (where e.fits), '{}')
          into passing_filters, eligible_episodes
          from (select e.memory_id, memory_internal.passes_mood(e, bars) as fits
                  from memory.episodic_memory e
                 where e.bank_id = bank
                   and memory_internal.passes_filters(
                           e, statuses, types, recall_candidates.tags, min_importance, since, until, recipient, agent,
                           historical, at)
                 limit exact_filter_limit + 1) as e;
    end if;
    -- Most episodes pass a mood's bars.
    filter_in_arms := index_suffices or indexed and (filtered or bars is not null)
                      and coalesce(cardinality(passing_filters) > exact_filter_limit, true);
    if filter_in_arms then
        passing_filters := null;
        eligible_episodes := null;
    elsif (filtered or bars is not null) and not indexed then
        select coalesce(array_agg(e.memory_id), '{}'),
               coalesce(array_agg(e.memory_id) filter (where memory_internal.passes_mood(e, bars)), '{}')
          into passing_filters, eligible_episodes
          from memory.episodic_memory e
         where e.bank_id = bank
           and memory_internal.passes_filters(
                   e, statuses, types, recall_candidates.tags, min_importance, since, until, recipient, agent, historical,
                   at);
    end if;
    if (filtered or bars is not null) and not filter_in_arms then
        passing_filters := case when filtered then passing_filters || eligible_facts end;
        eligible := eligible_episodes || eligible_facts;
    end if;

    search_in := passing_filters;
    while query is not null and not index_suffices loop
        if search_in is null and indexed then
            -- Over-fetch with a filter: the further the index searches, the less its order is that of the distances.
            select coalesce(array_agg(n.memory_id), '{}'), coalesce(array_agg(n.distance), '{}') into nearest, distances
              from (select n.memory_id, n.distance
                      from memory_internal.nearest_indexed(
                               bank, model, query, case when filter_in_arms then 2 else 1 end * fetch_count, statuses,
                               least_confidence, types, recall_candidates.tags, min_importance, since, until, recipient,
                               agent, case when mood_applied then bars end, historical, at, eligible_facts) as n
                     order by n.distance, n.memory_id
                     limit fetch_count) as n;
        elsif indexed then
            select coalesce(array_agg(n.memory_id), '{}'), coalesce(array_agg(n.distance), '{}') into nearest, distances
              from memory_internal.nearest_among(bank, model, query, fetch_count, search_in) as n;
        elsif search_in is null then
            -- Over-fetch: a memory has several vectors, and some are filtered out.
            select coalesce(array_agg(n.memory_id), '{}'), coalesce(array_agg(n.distance), '{}') into nearest, distances
              from (
                select n.memory_id, n.distance
                  from (select s.memory_id, min(s.distance) as distance
                          from (select v.memory_id, v.embedding operator(public.<=>) query as distance
                                  from memory.memory_vector v
                                 where v.bank_id = bank and v.model_id = model
                                 order by distance
                                 limit 4 * fetch_count) as s
                         group by s.memory_id
                         order by distance, s.memory_id
                        offset 0) as n
                 where exists (select
                                 from memory.episodic_memory e
                                where e.bank_id = bank and e.memory_id = n.memory_id and e.status = any (statuses)
                               offset 0)
                    or has_facts
                       and exists (select
                                     from memory.semantic_memory f
                                    where f.bank_id = bank and f.memory_id = n.memory_id
                                      and memory_internal.is_believed(f, least_confidence, at)
                                   offset 0)
                 order by n.distance, n.memory_id
                 limit fetch_count) as n;
        end if;
        if memories is null and cardinality(nearest) < fetch_count then
            select count(*) into memories
              from (select from memory.memory_text m where m.bank_id = bank limit fetch_count) as m;
        end if;
        -- With filters, or if the matches were parts of a few long texts or filtered out: compare all vectors.
        if cardinality(nearest) < least(fetch_count, memories) and (search_in is null or not indexed) then
            select coalesce(array_agg(n.memory_id), '{}'), coalesce(array_agg(n.distance), '{}') into nearest, distances
              from (
                select v.memory_id, min(v.embedding operator(public.<=>) query) as distance
                  from (select e.memory_id
                          from memory.episodic_memory e
                         where e.bank_id = bank and e.status = any (statuses)
                           and (not filter_in_arms or memory_internal.passes_filters(
                                   e, statuses, types, recall_candidates.tags, min_importance, since, until, recipient,
                                   agent, historical, at)
                                and memory_internal.passes_mood(e, case when mood_applied then bars end))
                         union all
                        select f.memory_id
                          from memory.semantic_memory f
                         where f.bank_id = bank and memory_internal.is_believed(f, least_confidence, at)
                           and (not filter_in_arms or f.memory_id = any (eligible_facts))) as visible
                  join memory.memory_vector v
                    on v.bank_id = bank and v.model_id = model and v.memory_id = visible.memory_id
                 where search_in is null or visible.memory_id = any (search_in)
                 group by v.memory_id
                 order by distance, v.memory_id
                 limit fetch_count) as n;
        end if;
        exit when bars is null or mood_applied
            or case when filter_in_arms then not exists (
                   select from memory.episodic_memory e
                    where e.bank_id = bank and e.memory_id = any (nearest)
                      and not memory_internal.passes_mood(e, bars))
               else nearest <@ eligible end;
        -- Candidates excluded by the mood are returned for the trace but do not count: search again without them.
        excluded_by_mood := nearest;
        nearest := '{}';
        distances := '{}';
        search_in := eligible;
        mood_applied := true;
    end loop;

    -- If the vector arm found too few, the text arm also uses the common words, after the rare ones.
    wanted_count := least(fetch_count, coalesce(cardinality(eligible), memories));
    too_few := query is null or cardinality(nearest) < wanted_count;
    if indexed then
        by_text := memory_internal.large_text_candidates(
            bank, memories, terms, rarity, label_weights, fetch_count, too_few, text_over_fetch, all_recallable,
            filter_in_arms, eligible, eligible_facts, statuses, least_confidence, types, recall_candidates.tags,
            min_importance, since, until, recipient, agent, bars, historical, at);
        finding := null;
    elsif finding is null and too_few then
        select string_agg(t::text, ' | ')::tsquery into finding from unnest(terms) as t;
        finding_here := ('''' || memory_internal.bank_lexeme(bank) || '''')::tsquery && finding;
        with_common_words := true;
    end if;
    while finding is not null loop
        -- If too many of the best matches are filtered out: all matches.
        foreach depth in array
            case when eligible is null then array[text_over_fetch * fetch_count, null] else array[null::integer] end
        loop
            with matching as materialized (
                select m.memory_id, m.tier, m.before_id, m.after_id, m.is_question,
                       ts_rank(label_weights, m.search, finding) as rank
                  from memory.memory_text m
                 where m.bank_id = bank and m.search @@ finding_here
                 order by rank desc, m.memory_id
                 limit depth
            ),
            with_neighbours as (
                select m.memory_id, m.tier, m.rank from matching m
                 union all
                select m.after_id, 'episodic', m.rank * case when m.is_question then 0.8 else 0.4 end from matching m
                 union all
                select m.before_id, 'episodic', m.rank * 0.4 from matching m
            )
            select (select count(*) from matching),
                   array(
                select b.memory_id
                  from (select b.memory_id, b.tier, sum(b.rank) as rank
                          from with_neighbours b
                         where b.memory_id is not null and (eligible is null or b.memory_id = any (eligible))
                         group by b.memory_id, b.tier
                         order by rank desc, b.memory_id
                        offset 0) as b
                 where case b.tier
                       when 'episodic' then all_recallable
                           or exists (select
                                        from memory.episodic_memory e
                                       where e.bank_id = bank and e.memory_id = b.memory_id
                                         and e.status = any (statuses)
                                      offset 0)
                       when 'semantic' then
                           exists (select
                                     from memory.semantic_memory f
                                    where f.bank_id = bank and f.memory_id = b.memory_id
                                      and memory_internal.is_believed(f, least_confidence, at)
                                   offset 0)
                       end
                 order by b.rank desc, b.memory_id
                 limit fetch_count)
              into match_count, matches;
            exit when cardinality(matches) = fetch_count or match_count < depth;
        end loop;
        by_text := by_text || matches;
        exit when not too_few or with_common_words or cardinality(matches) = fetch_count;
        select string_agg(t::text, ' | ')::tsquery into finding from unnest(terms) as t;
        finding_here := ('''' || memory_internal.bank_lexeme(bank) || '''')::tsquery && finding;
        with_common_words := true;
    end loop;

    if filter_in_arms and (salient_count > 0 or salient_count = 0 and too_few) then
        -- A profile that does not weigh similarity is exact: it scores all of them (no limit).
        salient_limit := case
            when coalesce((profile ->> 'similarity')::double precision, 0) > 0 or salient_count = 0
            then greatest(salient_count, fetch_count) end;
        eligible_episodes := array(
            (select e.memory_id
               from memory.episodic_memory e
              where e.bank_id = bank
                and memory_internal.passes_filters(
                        e, statuses, types, recall_candidates.tags, min_importance, since, until, recipient, agent,
                        historical, at)
                and memory_internal.passes_mood(e, bars)
              order by e.importance desc, e.occurred_at desc, e.memory_id desc
              limit salient_limit)
             union
            (select e.memory_id
               from memory.episodic_memory e
              where e.bank_id = bank
                and memory_internal.passes_filters(
                        e, statuses, types, recall_candidates.tags, min_importance, since, until, recipient, agent,
                        historical, at)
                and memory_internal.passes_mood(e, bars)
              order by e.occurred_at desc, e.memory_id desc
              limit salient_limit));
    end if;
    if salient_count > 0 then
        salient := memory_internal.salient_memories(
            bank, salient_count, statuses, least_confidence, eligible_episodes, eligible_facts, profile, labels,
            historical, at);
    elsif salient_count = 0 and too_few
          and (select count(distinct i) from unnest(nearest || by_text) as i) < wanted_count then
        salient := memory_internal.salient_memories(
            bank, fetch_count, statuses, least_confidence, eligible_episodes, eligible_facts,
            '{"recency": 1}', null, historical, at);
    end if;

    if facts_count > 0 and has_facts then
        by_facts := array(
            select f.memory_id
              from memory.semantic_memory f
              left join memory.memory_vector v
                on query is not null and v.bank_id = bank and v.model_id = model and v.memory_id = f.memory_id
             where f.bank_id = bank and memory_internal.is_believed(f, least_confidence, at)
               and (eligible_facts is null or f.memory_id = any (eligible_facts))
             order by v.embedding operator(public.<=>) query, f.importance desc, f.occurred_at desc, f.memory_id
             limit facts_count)
          || array(
            select f.memory_id
              from memory.semantic_memory f
             where f.bank_id = bank and memory_internal.is_always_shown(f.attribute, 0)
               and coalesce(f.last_confirmed + memory_internal.longest_state(f.attribute, f.value) > at, true)
               and memory_internal.is_believed(f, least_confidence, at)
               and (eligible_facts is null or f.memory_id = any (eligible_facts))
             order by f.importance desc, f.occurred_at desc, f.memory_id
             limit 12)
          || array(
            select f.memory_id
              from memory.semantic_memory f
             where f.bank_id = bank and memory_internal.is_always_shown(f.attribute, f.importance)
               and memory_internal.is_always_shown(f.attribute, 0) is not true
               and coalesce(f.last_confirmed + memory_internal.longest_state(f.attribute, f.value) > at, true)
               and memory_internal.is_believed(f, least_confidence, at)
               and (eligible_facts is null or f.memory_id = any (eligible_facts))
             order by f.importance desc, f.occurred_at desc, f.memory_id
             limit 3);
    end if;

    by_other_arms := by_text || salient || by_facts || excluded_by_mood;
    vectors_only := words is null and by_other_arms = '{}';
    -- The memories themselves are probed by key one by one: one plan serves every bank.
    perform set_config('plan_cache_mode', 'force_generic_plan', true);
    return query
        select c.memory_id, e.type, e.content, e.occurred_at, e.importance,
               memory_internal.effective_importance(
                   e.importance, e.occurred_at, case when historical then 0 else e.access_count end, at),
               e.valence, nullif(e.emotions, '{}'), nullif(e.topics, '{}'), nullif(e.tags, '{}'), nullif(e.metadata, '{}'),
               e.source, e.status, e.confidence, e.unconfirmed,
               c.cosine, c.found, c.by_named, e.reply, c.reply_cosine, c.mentions,
               c.from_reply, e.conversation_id, has_ended, e.vital, e.vital_by_attribute
          from (select f.*
                  from memory_internal.candidate_features(
                           bank, nearest || by_other_arms, model, query, words is not null, terms, rarity, named,
                           label_weights) as f
                 where not vectors_only
                 union all
                select n.memory_id, null, 1 - n.distance, null, 0, false, null, false
                  from unnest(nearest, distances) as n (memory_id, distance)
                 where vectors_only) as c
         cross join lateral (
            select 'episodic' as type, e.summary as content, e.occurred_at, e.importance, e.access_count,
                   e.emotional_valence as valence, e.emotions, e.topics, e.tags, e.metadata, e.source, e.status,
                   null::double precision as confidence, false as unconfirmed, e.reply, e.conversation_id,
                   false as vital, false as vital_by_attribute
              from memory.episodic_memory e
             where c.tier is distinct from 'semantic' and e.bank_id = bank and e.memory_id = c.memory_id
               and e.status = any (statuses)  -- re-check: the status may have changed since
             union all
            select 'semantic', f.fact, f.occurred_at, f.importance, f.access_count, null, '{}', '{}', f.tags,
                   f.metadata, f.source, f.status,
                   memory_internal.fact_confidence(f, at),
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
                   null, null, coalesce(memory_internal.is_always_shown(f.attribute, f.importance), false),
                   coalesce(memory_internal.is_always_shown(f.attribute, 0), false)
              from memory.semantic_memory f
             where has_facts and c.tier is distinct from 'episodic' and f.bank_id = bank and f.memory_id = c.memory_id
               and memory_internal.is_believed(f, least_confidence, at)
            offset 0) as e;
    if has_procedures then
        return query
            select p.memory_id, 'procedural'::text, p.content, p.occurred_at, p.importance, p.effective_importance,
                   null::double precision, null::text[], null::text[], nullif(p.tags_of, '{}'), nullif(p.metadata, '{}'),
                   p.source, p.status, p.confidence, false, p.cosine, p.found, false, null::text,
                   null::double precision, 0::smallint, false, null::text, has_ended, false, false
              from memory_internal.procedure_candidates(
                       bank, model, query, terms, rarity, label_weights, procedures_count, recall_candidates.tags,
                       min_importance, since, until, recipient, agent, historical, at) as p;
    end if;
end $$;

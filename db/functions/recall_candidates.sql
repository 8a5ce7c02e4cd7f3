-- The vector arm: the `fetch_count` nearest memories of this bank that pass the filters, exactly, each with one similarity
-- in [0,1]. Where there is no query vector, because its model is out of reach, the full-text arm answers instead: any
-- word of `words`, stemmed, ranked. Runs as the owner with the bank in the predicate, because row security keeps indexes of other arms from
-- being used; plans are made for the values at hand, because a cached plan assumes an average bank.
create or replace function memory_api.recall_candidates(
    bank text, model text, query public.halfvec, fetch_count integer, statuses text[],
    tags text[] default null, since timestamptz default null, until timestamptz default null,
    recipient text default null, agent text default null, historical boolean default false,
    words text default null, at timestamptz default now(), min_importance double precision default null)
returns table (memory_id uuid, type text, content text, occurred_at timestamptz, importance double precision,
               effective_importance double precision, valence double precision, emotions text[], topics text[], tags_of text[], metadata jsonb, source text,
               status text, similarity double precision)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_api.require_bank(bank);
    return query
        with asked as (
            select string_agg('''' || replace(replace(w.lexeme, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery as any_word
              from unnest(to_tsvector('english', words)) as w
             where query is null
        ),
        nearest as (
            select v.memory_id, 1 - min(v.embedding operator(public.<=>) query) as similarity
              from memory.memory_vector v
             where v.bank_id = bank and v.model_id = model and query is not null
             group by v.memory_id
             union all
            select t.memory_id, ts_rank(to_tsvector('english', t.summary), a.any_word, 32)
              from memory.episodic_memory t
              join asked a on to_tsvector('english', t.summary) @@ a.any_word
             where t.bank_id = bank and query is null
        )
        select e.memory_id, 'episodic', e.summary, e.occurred_at, e.importance,
               memory_api.effective_importance(
                   e.importance, e.occurred_at, case when historical then 0 else e.access_count end, at),
               e.emotional_valence, e.emotions,
               e.topics, e.tags, e.metadata, e.source, e.status, greatest(0, least(1, n.similarity))
          from nearest n
          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = n.memory_id
         where e.status = any (statuses)
           and (recall_candidates.tags is null or e.tags && recall_candidates.tags)
           and (min_importance is null or e.importance >= min_importance)
           and (since is null or e.occurred_at >= since)
           and (until is null or e.occurred_at <= until)
           and (not historical or e.occurred_at <= at)
           and (recipient is null or recipient = any (e.recipients))
           and (agent is null or e.agent_id = agent)
         order by n.similarity desc, e.memory_id
         limit fetch_count;
end $$;

-- Returns the procedures in force at `at` that pass the filters as candidates of a recall, at most `fetch_count` less
-- the ended habits among them (is_ended_habit), with the figures of candidate_features: `cosine` is the higher one of
-- content and situation. Without a query vector those with one of the query's words, without words too the most
-- important. `effective_importance` is raised or lowered by their weight: by a factor of 0.8 + weight, 1 without
-- outcomes. `content` has the steps, and a mark if it is to be avoided. Called by recall_candidates for banks that have
-- procedures. Compares all of the bank, at most `procedure_cap` (by default 200).
create or replace function memory_internal.procedure_candidates(
    bank text, model text, query public.halfvec, terms tsquery[], rarity double precision[], label_weights real[],
    fetch_count integer, tags text[], min_importance double precision, since timestamptz, until timestamptz,
    recipient text, agent text, historical boolean, at timestamptz)
returns table (memory_id uuid, content text, occurred_at timestamptz, importance double precision,
               effective_importance double precision, tags_of text[], metadata jsonb, source text, status text,
               confidence double precision, cosine double precision, found double precision)
language sql stable as $$
    with measured as materialized (
        select p.*, n.cosine, coalesce(w.found, 0) as found
          from memory.procedural_memory p
          left join (select v.procedure_id, max(1 - (v.embedding operator(public.<=>) query)) as cosine
                       from memory.procedural_vector v
                      where v.bank_id = bank and v.model_id = model
                      group by v.procedure_id) as n on n.procedure_id = p.memory_id
         cross join lateral (
            select sum(t.rarity * ts_rank(label_weights, p.words, t.term))
                   / nullif((select sum(r) from unnest(procedure_candidates.rarity) as r), 0) as found
              from unnest(terms, procedure_candidates.rarity) as t (term, rarity)) as w
         where p.bank_id = bank and memory_internal.is_in_force(p, at)
           and (procedure_candidates.tags is null or p.tags && procedure_candidates.tags)
           and (min_importance is null or p.importance >= min_importance)
           and (since is null or p.occurred_at >= since)
           and (until is null or p.occurred_at <= until)
           and (recipient is null or recipient = any (p.recipients))
           and (agent is null or p.agent_id = agent)
    )
    select p.memory_id,
           case when memory_internal.is_avoided(p.worked, p.failed)
                then format('avoid (failed %s of %s): ', p.failed, p.worked + p.failed) else '' end
           || memory_internal.procedure_text(p.content, p.steps),
           p.occurred_at, p.importance,
           least(1, memory_internal.effective_importance(
                        p.importance, p.occurred_at, case when historical then 0 else p.access_count end, at)
                    * (0.8 + memory_internal.procedure_weight(p.worked, p.failed))),
           p.tags, p.metadata, p.source, p.status, p.confidence, p.cosine, p.found
      from (select m.*
              from measured m
             where m.cosine is not null or m.found > 0 or query is null and terms is null
             order by coalesce(m.cosine, 0) + m.found desc, m.importance desc, m.occurred_at desc, m.memory_id
             limit fetch_count) as p
     where not (p.kind = 'habit' and memory_internal.is_ended_habit(bank, p.memory_id, at))
     order by coalesce(p.cosine, 0) + p.found desc, p.importance desc, p.occurred_at desc, p.memory_id;
$$;

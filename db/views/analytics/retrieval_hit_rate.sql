-- Monitor: share of queries that found relevant memories. The relevance threshold 0.4 is applied to the similarity
-- alone, because importance and recency do not depend on the query.
create or replace view analytics.retrieval_hit_rate with (security_invoker = true) as
select t.bank_id, (t.at at time zone 'UTC')::date as day, count(*) as reads,
       count(*) filter (where t.returned > 0) as answered,
       count(*) filter (where best.similarity > 0.4) as hits,
       count(*) filter (where best.similarity > 0.4)::double precision / count(*) as hit_rate,
       avg(best.similarity) as mean_best_similarity,
       count(*) filter (where t.degraded) as degraded
  from memory.retrieval_trace t
 cross join lateral (
    select max(c.similarity::double precision) as similarity
      from rows from (json_array_elements_text(t.candidates -> 'similarity'),
                      json_array_elements_text(t.candidates -> 'dropped')) as c (similarity, dropped)
     where c.dropped is null) as best
 where t.kind <> 'compact'  -- a compaction has no query
 group by t.bank_id, (t.at at time zone 'UTC')::date;
comment on view analytics.retrieval_hit_rate is
    'Share of queries that found relevant memories, by bank and day, as far back as traces are kept (trace_days).';
comment on column analytics.retrieval_hit_rate.bank_id is 'The bank.';
comment on column analytics.retrieval_hit_rate.day is 'UTC day of the read.';
comment on column analytics.retrieval_hit_rate.reads is 'Recalls and contexts; compactions have no query.';
comment on column analytics.retrieval_hit_rate.answered is 'Reads that returned any memory.';
comment on column analytics.retrieval_hit_rate.hits is
    'Reads that returned at least one memory with a similarity above 0.4.';
comment on column analytics.retrieval_hit_rate.hit_rate is 'hits / reads, 0 to 1.';
comment on column analytics.retrieval_hit_rate.mean_best_similarity is
    'Mean of the highest similarity of each read that returned anything, 0 to 1; null if none did.';
comment on column analytics.retrieval_hit_rate.degraded is
    'Reads by words alone, because the query could not be embedded; their similarities are word scores.';

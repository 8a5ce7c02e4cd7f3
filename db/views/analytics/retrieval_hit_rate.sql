-- S2's first monitor. Importance and recency are no sign that a memory has to do with the query, so S2's threshold of
-- relevance is put to the similarity alone.
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
      from (select c.similarity, c.dropped
              from rows from (json_array_elements_text(t.candidates -> 'similarity'),
                              json_array_elements_text(t.candidates -> 'dropped')) as c (similarity, dropped)
             union all  -- a trace of an earlier release
            select c ->> 'similarity', c ->> 'dropped'
              from json_array_elements(case json_typeof(t.candidates) when 'array' then t.candidates end) as c) as c
     where c.dropped is null) as best
 where t.kind <> 'compact'  -- asks for what is important, by no query
 group by t.bank_id, (t.at at time zone 'UTC')::date;
comment on view analytics.retrieval_hit_rate is
    'S2: the share of queries that found relevant memories, by bank and day, as far back as traces are kept (trace_days).';
comment on column analytics.retrieval_hit_rate.bank_id is 'The bank that was read.';
comment on column analytics.retrieval_hit_rate.day is 'UTC day of the read.';
comment on column analytics.retrieval_hit_rate.reads is 'Recalls and contexts; a compaction has no query.';
comment on column analytics.retrieval_hit_rate.answered is 'Reads that returned any memory at all.';
comment on column analytics.retrieval_hit_rate.hits is
    'Reads that returned at least one memory of a similarity above 0.4 (S2''s threshold of relevance).';
comment on column analytics.retrieval_hit_rate.hit_rate is 'hits / reads, 0 to 1.';
comment on column analytics.retrieval_hit_rate.mean_best_similarity is
    'Mean over the reads that returned anything of the highest similarity returned, 0 to 1; null where none did.';
comment on column analytics.retrieval_hit_rate.degraded is
    'Reads by words alone, because the query could not be embedded; their similarities are of words.';

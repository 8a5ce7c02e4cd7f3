-- Monitor: age of the memories that reads return.
create or replace view analytics.memory_age_at_retrieval with (security_invoker = true) as
select t.bank_id, (t.at at time zone 'UTC')::date as day, count(distinct t.trace_id) as reads, count(*) as memories,
       avg(returned.age_days) as mean_age_days,
       percentile_cont(0.5) within group (order by returned.age_days) as median_age_days,
       max(returned.age_days) as oldest_age_days
  from memory.retrieval_trace t
 cross join lateral (
    select c.age_days::double precision
      from rows from (json_array_elements_text(t.candidates -> 'age_days'),
                      json_array_elements_text(t.candidates -> 'dropped')) as c (age_days, dropped)
     where c.dropped is null and c.age_days is not null) as returned
 group by t.bank_id, (t.at at time zone 'UTC')::date;
comment on view analytics.memory_age_at_retrieval is
    'Age of memories when they are returned, by bank and day, as far back as traces are kept (trace_days). A day on '
    'which nothing was returned has no row.';
comment on column analytics.memory_age_at_retrieval.bank_id is 'The bank.';
comment on column analytics.memory_age_at_retrieval.day is 'UTC day of the read.';
comment on column analytics.memory_age_at_retrieval.reads is 'Recalls and contexts that returned any memory.';
comment on column analytics.memory_age_at_retrieval.memories is
    'Memories returned; one returned by two reads counts twice.';
comment on column analytics.memory_age_at_retrieval.mean_age_days is
    'Mean number of days between the event and the read, or the as_of of the read if given.';
comment on column analytics.memory_age_at_retrieval.median_age_days is 'Median of the same.';
comment on column analytics.memory_age_at_retrieval.oldest_age_days is 'Maximum of the same.';

-- The traces of several reads of one bank and their access counts, in one statement, after the answers went out.
-- A trace is written once however often it is handed in, and counts only when it is written: nothing counts twice.
-- Memories that somebody else holds at the moment are left uncounted rather than waited for (promise 8).
-- The candidates are columns, as text (memory_internal.trace_candidate_rows).
-- A trace is {trace_id, kind, query, asked, profile, weights, mode, as_of, embedding_model, returned, degraded, figures,
-- candidates, at, seen: [memory ids], brought_up?: {conversation_id, facts: [ids], clarification_id}}. `brought_up` is what
-- a context showed as unconfirmed or asked: the user's answer may settle it (memory_internal.facts_in_context). The answer
-- is how many traces were new.
create or replace function memory_api.record_traces(bank text, traces jsonb, at timestamptz default now())
returns integer
language plpgsql as $$
declare
    fresh uuid[];
begin
    perform memory_internal.require_bank(bank);
    with given as materialized (
        select t from jsonb_array_elements(traces) as t
    ),
    written as (
        insert into memory.retrieval_trace
            (bank_id, trace_id, kind, query, asked, profile, weights, mode, as_of, embedding_model, candidates, returned,
             degraded, figures, at)
        select bank, (t ->> 'trace_id')::uuid, t ->> 'kind', t ->> 'query', coalesce(t -> 'asked', '{}'), t ->> 'profile',
               coalesce(t -> 'weights', '{}'), t ->> 'mode', (t ->> 'as_of')::timestamptz, t ->> 'embedding_model',
               (t ->> 'candidates')::json, (t ->> 'returned')::integer, (t ->> 'degraded')::boolean, t -> 'figures',
               coalesce((t ->> 'at')::timestamptz, record_traces.at)
          from given
        on conflict on constraint retrieval_trace_pkey do nothing
        returning trace_id
    )
    select coalesce(array_agg(w.trace_id), '{}') into fresh from written w;
    with read as materialized (  -- without the candidates, which would be sorted with each memory
        select (t ->> 'trace_id')::uuid as trace_id, t -> 'seen' as seen,
               coalesce((t ->> 'at')::timestamptz, record_traces.at) as at
          from jsonb_array_elements(traces) as t
    ),
    used as materialized (
        select s::uuid as memory_id, count(distinct r.trace_id)::integer as times, max(r.at) as last_at
          from read r
         cross join lateral jsonb_array_elements_text(r.seen) as s
         where r.trace_id = any (fresh)
         group by s::uuid
    ),
    free_episodes as materialized (
        select e.memory_id
          from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = any (array(select u.memory_id from used u))
         order by e.memory_id
           for no key update skip locked
    ),
    free_facts as materialized (
        select f.memory_id
          from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id = any (array(select u.memory_id from used u))
         order by f.memory_id
           for no key update skip locked
    ),
    counted as (
        update memory.episodic_memory e
           set access_count = least(e.access_count::bigint + u.times, 2147483647),
               last_accessed_at = greatest(e.last_accessed_at, u.last_at)
          from free_episodes free
          join used u on u.memory_id = free.memory_id
         where e.bank_id = bank and e.memory_id = free.memory_id
    )
    update memory.semantic_memory f
       set access_count = least(f.access_count::bigint + u.times, 2147483647),
           last_accessed_at = greatest(f.last_accessed_at, u.last_at)
      from free_facts free
      join used u on u.memory_id = free.memory_id
     where f.bank_id = bank and f.memory_id = free.memory_id;
    if traces @? '$[*].brought_up' then
        perform memory_internal.record_facts_in_context(bank, fresh, traces, at);
    end if;
    return cardinality(fresh);
end $$;

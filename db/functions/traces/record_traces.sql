-- Inserts the traces of several reads of one bank and increments the access counts of the returned memories, after
-- the responses were sent. Returns the number of new traces. A trace that exists already is neither written nor
-- counted again. Memories locked by another transaction are not counted instead of waited for, which avoids
-- deadlocks.
-- A trace is {trace_id, kind, query, parameters, profile, weights, mode, as_of, embedding_model, returned, degraded,
-- figures, candidates, at, seen: [memory ids], brought_up?: {conversation_id, facts: [ids], clarification_id},
-- acknowledged_thread?: id};
-- candidates are columns, as text (trace_candidate_rows). `brought_up` contains the facts that a context showed as
-- unconfirmed or asked about, which the user's reply may resolve (facts_in_context); `acknowledged_thread` the thread
-- that a context asked the agent to acknowledge (record_acknowledgements).
-- All rows are probed by key, so that one plan serves every bank: planning took 1.3 ms for each call, a quarter of
-- the processor time of a batch of 15.
create or replace function memory_api.record_traces(bank text, traces jsonb, at timestamptz default now())
returns integer
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    new_traces uuid[];
begin
    perform memory_internal.require_bank(bank);
    -- Before the statement that reads memory.erasure: it sees an erasure that was in progress.
    perform pg_advisory_xact_lock_shared(memory_internal.erasure_lock_key('traces of ' || bank));
    with input as materialized (
        select t from jsonb_array_elements(traces) as t
         -- A read from before an erasure may have found erased memories: its trace was still queued.
         where coalesce((t ->> 'at')::timestamptz, record_traces.at) > coalesce((
            select max(e.unreachable_at) from memory.erasure e where e.bank_id = bank), '-infinity')
    ),
    written as (
        insert into memory.retrieval_trace
            (bank_id, trace_id, kind, query, parameters, profile, weights, mode, as_of, embedding_model, candidates, returned,
             degraded, figures, at)
        select bank, (t ->> 'trace_id')::uuid, t ->> 'kind', t ->> 'query', coalesce(t -> 'parameters', '{}'), t ->> 'profile',
               coalesce(t -> 'weights', '{}'), t ->> 'mode', (t ->> 'as_of')::timestamptz, t ->> 'embedding_model',
               (t ->> 'candidates')::json, (t ->> 'returned')::integer, (t ->> 'degraded')::boolean, t -> 'figures',
               coalesce((t ->> 'at')::timestamptz, record_traces.at)
          from input
        on conflict on constraint retrieval_trace_pkey do nothing
        returning trace_id
    )
    select coalesce(array_agg(w.trace_id), '{}') into new_traces from written w;
    with read as materialized (  -- without the candidates, which would be sorted with each memory id
        select (t ->> 'trace_id')::uuid as trace_id, t -> 'seen' as seen,
               coalesce((t ->> 'at')::timestamptz, record_traces.at) as at
          from jsonb_array_elements(traces) as t
    ),
    returned_memories as materialized (
        select s::uuid as memory_id, count(distinct r.trace_id)::integer as times, max(r.at) as last_at
          from read r
         cross join lateral jsonb_array_elements_text(r.seen) as s
         where r.trace_id = any (new_traces)
         group by s::uuid
    ),
    unlocked_episodes as materialized (
        select e.memory_id
          from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = any (array(select u.memory_id from returned_memories u))
         order by e.memory_id
           for no key update skip locked
    ),
    unlocked_facts as materialized (
        select f.memory_id
          from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id = any (array(select u.memory_id from returned_memories u))
         order by f.memory_id
           for no key update skip locked
    ),
    unlocked_procedures as materialized (
        select p.memory_id
          from memory.procedural_memory p
         where p.bank_id = bank and p.memory_id = any (array(select u.memory_id from returned_memories u))
         order by p.memory_id
           for no key update skip locked
    ),
    counted_procedures as (
        update memory.procedural_memory p
           set access_count = least(p.access_count::bigint + u.times, 2147483647),
               last_accessed_at = greatest(p.last_accessed_at, u.last_at)
          from unlocked_procedures unlocked
          join returned_memories u on u.memory_id = unlocked.memory_id
         where p.bank_id = bank and p.memory_id = unlocked.memory_id
    ),
    counted_episodes as (
        update memory.episodic_memory e
           set access_count = least(e.access_count::bigint + u.times, 2147483647),
               last_accessed_at = greatest(e.last_accessed_at, u.last_at)
          from unlocked_episodes unlocked
          join returned_memories u on u.memory_id = unlocked.memory_id
         where e.bank_id = bank and e.memory_id = unlocked.memory_id
    )
    update memory.semantic_memory f
       set access_count = least(f.access_count::bigint + u.times, 2147483647),
           last_accessed_at = greatest(f.last_accessed_at, u.last_at)
      from unlocked_facts unlocked
      join returned_memories u on u.memory_id = unlocked.memory_id
     where f.bank_id = bank and f.memory_id = unlocked.memory_id;
    if traces @? '$[*].brought_up' then
        perform memory_internal.record_facts_in_context(bank, new_traces, traces, at);
    end if;
    if traces @? '$[*].acknowledged_thread' then
        perform memory_internal.record_acknowledgements(bank, new_traces, traces);
    end if;
    return cardinality(new_traces);
end $$;

-- The trace of one read and its access counts, written after the answer went out. Memories that somebody else
-- holds at the moment are left uncounted rather than waited for (promise 8).
create or replace function memory_api.record_trace(
    bank text, trace jsonb, seen uuid[], at timestamptz default now())
returns void
language plpgsql as $$
begin
    perform memory_api.enter_bank(bank);
    insert into memory.retrieval_trace
        (bank_id, trace_id, kind, query, profile, mode, embedding_model, candidates, returned, degraded, figures, at)
    values (bank, (trace ->> 'trace_id')::uuid, trace ->> 'kind', trace ->> 'query', trace ->> 'profile',
            trace ->> 'mode', trace ->> 'embedding_model', trace -> 'candidates', (trace ->> 'returned')::integer,
            (trace ->> 'degraded')::boolean, trace -> 'figures', at);
    with free as (
        select e.memory_id
          from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = any (seen)
         order by e.memory_id
           for update skip locked
    )
    update memory.episodic_memory e
       set access_count = e.access_count + 1, last_accessed_at = greatest(e.last_accessed_at, at)
      from free
     where e.bank_id = bank and e.memory_id = free.memory_id;
end $$;

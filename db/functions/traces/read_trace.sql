-- Returns one trace, its candidates with the beginning of their memories' present text (trace_candidates); the trace
-- itself contains no memory text.
create or replace function memory_api.read_trace(bank text, trace uuid)
returns table (trace_id uuid, kind text, at timestamptz, query text, asked jsonb, profile text, weights jsonb, mode text,
               as_of timestamptz, embedding_model text, returned integer, degraded boolean, figures jsonb,
               candidates jsonb)
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select t.trace_id, t.kind, t.at, t.query, t.parameters, t.profile, t.weights, t.mode, t.as_of, t.embedding_model,
               t.returned, t.degraded, t.figures, memory_api.trace_candidates(bank, t.candidates)
          from memory.retrieval_trace t
         where t.bank_id = bank and t.trace_id = trace;
end $$;

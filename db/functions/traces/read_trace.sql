-- Returns one trace. Each candidate includes the first 100 characters of its memory's present text, if the memory
-- exists; the trace itself contains no memory text.
create or replace function memory_api.read_trace(bank text, trace uuid)
returns table (trace_id uuid, kind text, at timestamptz, query text, asked jsonb, profile text, weights jsonb, mode text,
               as_of timestamptz, embedding_model text, returned integer, degraded boolean, figures jsonb,
               candidates jsonb)
language plpgsql as $$
declare
    max_characters constant integer := 100;
begin
    perform memory_internal.require_bank(bank);
    return query
        select t.trace_id, t.kind, t.at, t.query, t.parameters, t.profile, t.weights, t.mode, t.as_of, t.embedding_model,
               t.returned, t.degraded, t.figures,
               (select coalesce(jsonb_agg(c.entry || jsonb_build_object('content',
                           case when length(m.text) > max_characters then left(m.text, max_characters - 1)
                               || '…' else m.text end)
                           order by c.place), '[]')
                  from memory_internal.trace_candidate_rows(t.candidates) as c
                  left join memory.episodic_memory e
                    on e.bank_id = bank and e.memory_id = (c.entry ->> 'memory_id')::uuid
                  left join memory.semantic_memory f
                    on f.bank_id = bank and f.memory_id = (c.entry ->> 'memory_id')::uuid
                  left join memory.procedural_memory p
                    on p.bank_id = bank and p.memory_id = (c.entry ->> 'memory_id')::uuid
                 cross join lateral (select coalesce(e.summary, f.fact, p.content) as text) as m)
          from memory.retrieval_trace t
         where t.bank_id = bank and t.trace_id = trace;
end $$;

-- Returns the candidates of a trace, which need not be stored, as a JSON array. Each includes the first 100 characters
-- of its memory's present text, if the memory exists. Called by read_trace, and for the trace of a context that is
-- previewed.
create or replace function memory_api.trace_candidates(bank text, candidates json)
returns jsonb
language plpgsql as $$
declare
    max_characters constant integer := 100;
begin
    perform memory_internal.require_bank(bank);
    return (
        select coalesce(jsonb_agg(c.entry || jsonb_build_object('content',
                    case when length(m.text) > max_characters then left(m.text, max_characters - 1)
                        || '…' else m.text end)
                    order by c.place), '[]')
          from memory_internal.trace_candidate_rows(candidates) as c
          left join memory.episodic_memory e
            on e.bank_id = bank and e.memory_id = (c.entry ->> 'memory_id')::uuid
          left join memory.semantic_memory f
            on f.bank_id = bank and f.memory_id = (c.entry ->> 'memory_id')::uuid
          left join memory.procedural_memory p
            on p.bank_id = bank and p.memory_id = (c.entry ->> 'memory_id')::uuid
         cross join lateral (select coalesce(e.summary, f.fact, p.content) as text) as m);
end $$;

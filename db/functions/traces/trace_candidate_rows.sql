-- Returns the candidates of a trace, one row each in order, as JSON: memory_id, score, its parts, `figures`, reason,
-- dropped. A trace stores them as columns, {memory_id: [...], score: [...], ..., figures: {cosine: [...], ...}}, as
-- text, which is fast to write.
create or replace function memory_internal.trace_candidate_rows(candidates json)
returns table (place bigint, entry jsonb)
language sql immutable parallel safe as $$
    with given as materialized (select candidates::jsonb as candidates)
    select i.place,
           (select jsonb_object_agg(c.name, c.entries -> (i.place - 1)::integer)
              from jsonb_each(g.candidates - 'figures') as c (name, entries))
           || jsonb_build_object('figures', (
               select coalesce(jsonb_object_agg(c.name, c.entries -> (i.place - 1)::integer), '{}')
                 from jsonb_each(g.candidates -> 'figures') as c (name, entries)))
      from given g, jsonb_array_elements(g.candidates -> 'memory_id') with ordinality as i (memory_id, place)
$$;

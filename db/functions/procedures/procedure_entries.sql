-- Returns the procedures in force at `at` whose content or situation is near the query, without ended habits
-- (is_ended_habit), at most five, best first: by cosine, and by 0.1 of their weight. The cut-off is a cosine of 0.35 on
-- the scale of the built-in model (mean 0.05 and deviation 0.1 of unrelated texts, fusion.py). None without a query
-- vector. Called by person_entries. Compares all procedures of the bank, at most `procedure_cap` (by default 200).
create or replace function memory_internal.procedure_entries(
    bank text, model text, query public.halfvec, at timestamptz)
returns table (kind text, id uuid, content text, situation text, cosine double precision, occurred_at timestamptz,
               detail jsonb)
language sql stable as $$
    select 'procedure', p.memory_id, memory_internal.procedure_text(p.content, p.steps), p.situation, p.cosine, p.occurred_at,
           jsonb_build_object('kind', p.kind, 'why', p.why, 'worked', p.worked, 'failed', p.failed,
                              'weight', p.weight, 'avoid', memory_internal.is_avoided(p.worked, p.failed),
                              'evidence', p.evidence_count)
      from (select p.*, n.cosine, memory_internal.procedure_weight(p.worked, p.failed) as weight
              from (select v.procedure_id, max(1 - (v.embedding operator(public.<=>) query)) as cosine
                      from memory.procedural_vector v
                     where v.bank_id = bank and v.model_id = model
                     group by v.procedure_id
                    offset 0) as n
              join memory.procedural_memory p on p.bank_id = bank and p.memory_id = n.procedure_id
             where memory_internal.is_in_force(p, at)) as p
      left join memory.embedding_model m on m.name = model
     where coalesce(0.05 + (p.cosine - m.unrelated_mean) * 0.1 / m.unrelated_spread, p.cosine) >= 0.35
       and not (p.kind = 'habit' and memory_internal.is_ended_habit(bank, p.memory_id, at))
     order by p.cosine + 0.1 * p.weight desc, p.memory_id
     limit 5;
$$;

-- Returns what a context prints beside the candidates of recall_candidates, in one call: the rows of recent_memory and
-- of person_entries, each with the columns of the other null. One call instead of two beside recall_candidates: a round
-- trip and a busy session less. Raises ME001, and ME061 if `model` is not the bank's embedding model.
create or replace function memory_api.context_entries(
    bank text, model text, query public.halfvec, conversation text, undecided integer, episodes integer, refused integer,
    valence double precision default null, max_valence_difference double precision default null,
    historical boolean default false, at timestamptz default now())
returns table (kind text, id uuid, content text, occurred_at timestamptz, role text, name text, source text,
               facts uuid[], memory_id uuid, situation text, cosine double precision, detail jsonb)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
    return query
        select r.kind, r.id, r.content, r.occurred_at, r.role, r.name, r.source, r.facts, r.memory_id, null::text,
               null::double precision, null::jsonb
          from memory_api.recent_memory(
                   bank, conversation, undecided, episodes, refused, valence, max_valence_difference, historical, at) as r;
    return query
        select p.kind, p.id, p.content, p.occurred_at, null::text, null::text, null::text, null::uuid[], null::uuid,
               p.situation, p.cosine, p.detail
          from memory_api.person_entries(bank, model, query, historical, at) as p;
end $$;

-- Returns the norms in force at `at`, with their similarity to the query: the larger of the cosines of the norm and
-- of its situation; null without a query vector, and for norms whose vector of `model` is missing. Called by
-- person_entries. Compares all norms of the bank, at most `most_norms` (by default 50). Leaves out preferences that
-- state a fact which has ended or was retracted, unless they are pinned: the fact is of an episode that states the
-- norm, its value is in the norm's words, and no fact of the timeline has the value at `at`.
create or replace function memory_internal.norm_entries(
    bank text, model text, query public.halfvec, at timestamptz)
returns table (kind text, id uuid, content text, situation text, cosine double precision, occurred_at timestamptz,
               detail jsonb)
language sql stable as $$
    select 'norm', n.memory_id, n.norm, n.situation,
           (select max(1 - (v.embedding operator(public.<=>) query))
              from memory.relational_vector v
             where v.bank_id = bank and v.model_id = model and v.norm_id = n.memory_id),
           n.last_confirmed,
           jsonb_build_object('kind', n.kind, 'slot', n.slot, 'value', n.value, 'level', n.level,
                              'confidence', n.confidence, 'pinned', n.pinned, 'evidence', n.evidence_count)
      from memory.relational_memory n
     where n.bank_id = bank and n.status <> 'deprecated' and n.valid_from <= at
       and (n.valid_to is null or n.valid_to > at)
       and (n.kind <> 'preference' or n.pinned or not exists (
           select from memory.relational_evidence r
             join memory.fact_evidence e on e.bank_id = bank and e.episode_id = r.episode_id and e.holds
             join memory.semantic_memory f on f.bank_id = bank and f.memory_id = e.fact_id
            where r.bank_id = bank and r.norm_id = n.memory_id and f.status <> 'merged_into'
              and (f.valid_to <= at or f.retracted_at <= at)
              and to_tsvector('english', n.norm) @@ plainto_tsquery('english', f.value)
              and not exists (
                  select from memory.semantic_memory same_value
                   where same_value.bank_id = bank and same_value.timeline = f.timeline and same_value.valid_from <= at
                     and (same_value.valid_to is null or same_value.valid_to > at) and same_value.retracted_at is null
                     and same_value.status <> 'merged_into' and lower(same_value.value) = lower(f.value))));
$$;

-- Whether a fact is shown at `at`: it held then, nothing retracted it, and its confidence had not decayed below
-- `least_confidence`. A superseded fact was true in its time, and is shown for that time; so is a fact that was deprecated
-- only later (memory_internal.was_believed_later): if it was stable then, it had not fallen below 0.35.
-- Callers give at least the bank's deprecation_confidence.
-- A single expression, so that the planner inlines it. No fact decays faster than at durability 1: only where that would be
-- too little is memory_internal.effective_confidence evaluated, which calls a function.
create or replace function memory_internal.is_believed(
    fact memory.semantic_memory, least_confidence double precision, at timestamptz)
returns boolean
language sql immutable parallel safe as $$
    select (fact.status in ('tentative', 'stable') or memory_internal.was_believed_later(fact, at))
       and fact.valid_from <= at
       and (fact.valid_to is null or fact.valid_to > at)
       and fact.confidence >= least_confidence
       and (greatest(fact.confidence, 1e-30)  -- Postgres reports an underflow as an error
                * (1 - 0.02 * (1 - fact.importance) * date_part('epoch', at - fact.last_confirmed) / 86400)
                >= least_confidence
            or memory_internal.effective_confidence(
                   fact.confidence, fact.importance, fact.last_confirmed,
                   case when fact.status = 'deprecated' and fact.evidence_count >= 3 then 'stable' else fact.status end,
                   fact.pinned, fact.attribute, fact.contradicted_at, at) >= least_confidence)
$$;

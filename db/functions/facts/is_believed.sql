-- Returns whether a fact is shown at `at`: it was valid then, is not retracted, and its confidence was at least
-- `least_confidence`, for which callers pass at least the bank's deprecation_confidence. A superseded fact is shown
-- for its period; so is a fact deprecated only later (was_believed_later): if it was stable then, its confidence was
-- at least 0.35. A single expression, so that the planner inlines it. The first comparison is a lower bound, because
-- no fact decays faster than at a decay factor of 1; effective_confidence, which calls a function, is evaluated only
-- below it.
create or replace function memory_internal.is_believed(
    fact memory.semantic_memory, least_confidence double precision, at timestamptz)
returns boolean
language sql immutable parallel safe as $$
    select (fact.status in ('tentative', 'stable') or memory_internal.was_believed_later(fact, at))
       and fact.valid_from <= at
       and (fact.valid_to is null or fact.valid_to > at)
       and fact.confidence >= least_confidence
       and (greatest(fact.confidence, 1e-30)  -- Postgres raises an error on underflow
                * (1 - 0.02 * (1 - fact.importance) * date_part('epoch', at - fact.last_confirmed) / 86400)
                >= least_confidence
            or memory_internal.effective_confidence(
                   fact.confidence, fact.importance, fact.last_confirmed,
                   case when fact.status = 'deprecated' and fact.evidence_count >= memory_internal.stable_evidence()
                        then 'stable' else fact.status end,
                   fact.pinned,
                   memory_internal.decay_attribute(fact.attribute, fact.extracted_by),
                   fact.contradicted_at, at) >= least_confidence)
$$;

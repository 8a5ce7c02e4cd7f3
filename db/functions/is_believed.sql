-- Whether a fact may be shown at `at` (DESIGN §4 "who is seen"): it held then, nothing took it back, and its confidence
-- had not faded below `least_confidence`. What was superseded was true in its time, and is shown when that is asked for; so
-- is what has been deprecated since (memory_api.faded_since): a fact that was stable then had not faded below 0.35.
-- A single expression, so that the planner puts it in the place of its call.
create or replace function memory_api.is_believed(
    fact memory.semantic_memory, least_confidence double precision, at timestamptz)
returns boolean
language sql immutable parallel safe as $$
    select (fact.status in ('tentative', 'stable') or memory_api.faded_since(fact, at))
       and fact.valid_from <= at
       and (fact.valid_to is null or fact.valid_to > at)
       and memory_api.effective_confidence(
               fact.confidence, fact.importance, fact.last_confirmed,
               case when fact.status = 'deprecated' and fact.evidence_count >= 3 then 'stable' else fact.status end,
               fact.pinned, at) >= least_confidence
$$;

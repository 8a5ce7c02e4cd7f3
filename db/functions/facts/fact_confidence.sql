-- Returns a fact's confidence at `at` (effective_confidence). A single expression, so that the planner inlines it.
create or replace function memory_internal.fact_confidence(fact memory.semantic_memory, at timestamptz)
returns double precision
language sql immutable parallel safe as $$
    select memory_internal.effective_confidence(
        fact.confidence, fact.importance, fact.last_confirmed, fact.status, fact.pinned,
        memory_internal.decay_attribute(fact.attribute, fact.extracted_by), fact.contradicted_at, at)
$$;

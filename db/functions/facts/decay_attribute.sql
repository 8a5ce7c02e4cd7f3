-- Returns the attribute by which a fact decays: its own, or `committed` for a fact without one that a caller committed
-- explicitly (it has no extractor). Passed to effective_confidence and decay_time. A single expression, so that the
-- planner inlines it.
create or replace function memory_internal.decay_attribute(attribute text, extracted_by text) returns text
language sql immutable parallel safe as $$
    select coalesce(attribute, case when extracted_by is null then 'committed' end);
$$;

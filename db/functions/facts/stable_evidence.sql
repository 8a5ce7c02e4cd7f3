-- Returns the number of episodes from which on a fact without an open conflict is stable (docs/design.md,
-- "Confidence"). A single expression, so that the planner inlines it.
create or replace function memory_internal.stable_evidence() returns integer
language sql immutable parallel safe as $$
    select 3
$$;

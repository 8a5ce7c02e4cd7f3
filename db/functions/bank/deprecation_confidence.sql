-- Returns the confidence below which facts of a bank with these settings are deprecated (default 0.3). A bank sets
-- at most 0.35, the minimum to which a stable fact decays (effective_confidence). A single expression, so that the
-- planner inlines it.
create or replace function memory_internal.deprecation_confidence(settings jsonb)
returns double precision
language sql immutable parallel safe as $$
    select coalesce((settings ->> 'deprecation_confidence')::double precision, 0.3)
$$;

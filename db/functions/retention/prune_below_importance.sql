-- Returns the importance below which the storage strategy prune_after_days deletes episodes of a bank with these
-- settings (default 0.3). A single expression, so that the planner inlines it.
create or replace function memory_internal.prune_below_importance(settings jsonb) returns double precision
language sql immutable parallel safe as $$
    select coalesce((settings ->> 'prune_below_importance')::double precision, 0.3)
$$;

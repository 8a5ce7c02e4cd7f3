-- Returns the importance up to which the storage strategy compress_after_years deletes episodes of a bank with these
-- settings (default 0.7). A single expression, so that the planner inlines it.
create or replace function memory_internal.compress_keep_importance(settings jsonb) returns double precision
language sql immutable parallel safe as $$
    select coalesce((settings ->> 'compress_keep_importance')::double precision, 0.7)
$$;

-- Returns the intake of a bank with these settings: exchange, snippet or verbatim. `default_intake` is the service's
-- (MEMORY_INTAKE), which its callers pass on. A single expression, so that the planner inlines it.
create or replace function memory_internal.bank_intake(settings jsonb, default_intake text) returns text
language sql immutable parallel safe as $$
    select coalesce(settings ->> 'intake', default_intake, 'exchange')
$$;

-- Returns the importance of a fact from its stored one and that of its evidence (`computed`): one that was set
-- (with_changed) is fixed, one given with the commit is a minimum.
create or replace function memory_internal.fact_importance(
    given jsonb, stored double precision, computed double precision)
returns double precision
language sql immutable parallel safe as $$
    select case when given -> 'changed' ? 'importance' then stored
                when given ? 'importance' then greatest(stored, computed)
                else coalesce(computed, stored) end;
$$;

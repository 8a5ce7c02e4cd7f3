-- Returns whether a deprecated fact was still believed at `at`: the nightly run let it fade or dropped it to make
-- room only later, and it was not retracted. Such a fact was true in its time (`as_of` is valid time). Callers
-- additionally compare its confidence with the bank's deprecation_confidence, because it may have fallen for other
-- reasons after fading. A single expression, so that the planner inlines it.
create or replace function memory_internal.was_believed_later(fact memory.semantic_memory, at timestamptz)
returns boolean
language sql immutable parallel safe as $$
    select coalesce(
        fact.status = 'deprecated' and at < least(fact.faded_at, fact.dropped_at)
        and fact.retracted_at is null, false)
$$;

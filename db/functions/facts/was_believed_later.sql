-- Whether a deprecated fact was still believed at `at`: the night let it fade or dropped it to make room only later, and
-- nobody said that it was wrong. What is no longer remembered was nonetheless true (DESIGN §4 "Time": `as_of` is valid time).
-- Nor does it say so of a fact that faded and whose confidence later fell below the bank's deprecation_confidence for other
-- reasons: the callers, which know the bank's, leave those out.
-- A single expression, so that the planner puts it in the place of its call.
create or replace function memory_internal.was_believed_later(fact memory.semantic_memory, at timestamptz)
returns boolean
language sql immutable parallel safe as $$
    select coalesce(
        fact.status = 'deprecated' and at < least(fact.faded_at, fact.dropped_at)
        and fact.retracted_at is null, false)
$$;

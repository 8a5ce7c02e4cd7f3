-- Returns whether a procedure is shown as one to avoid: at least three failures, and more than twice as many as
-- successes.
create or replace function memory_internal.is_avoided(worked integer, failed integer) returns boolean
language sql immutable parallel safe as $$
    select failed >= 3 and failed > 2 * worked
$$;

-- Returns whether reads show a procedure as of `at`: active, or superseded since, within its period.
create or replace function memory_internal.is_in_force(procedure memory.procedural_memory, at timestamptz)
returns boolean
language sql immutable parallel safe as $$
    select procedure.status in ('active', 'superseded') and procedure.valid_from <= at
       and (procedure.valid_to is null or procedure.valid_to > at)
$$;

-- Whether an export for people has the episodes of a status: not those in quarantine, nor duplicates. Inlined.
create or replace function memory_internal.is_for_people(status text) returns boolean
language sql immutable parallel safe as $$
    select status not in ('quarantined', 'merged_into')
$$;

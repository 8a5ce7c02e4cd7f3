-- Returns the column `given` with the fields that a person or agent set after the commit under the key `changed`:
-- values of importance, lesson and tags, `true` for metadata. They are not extracted again, an erasure keeps them
-- (erase_labels, erase_procedure_labels), and the original request stays comparable (find_committed).
create or replace function memory_internal.with_changed(given jsonb, changes jsonb) returns jsonb
language sql immutable parallel safe as $$
    select case when changes ?| array['importance', 'lesson', 'tags', 'metadata']
                then jsonb_set(
                         given, '{changed}',
                         coalesce(given -> 'changed', '{}') || jsonb_strip_nulls(jsonb_build_object(
                             'importance', changes -> 'importance', 'lesson', changes -> 'lesson',
                             'tags', changes -> 'tags',
                             'metadata', case when changes ? 'metadata' then true end)))
                else given end;
$$;

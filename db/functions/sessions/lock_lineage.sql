-- Takes the advisory lock of a lineage until the end of the transaction: shared while a session or checkpoint gets
-- another root, exclusive while unused parts are deleted, so that no part is deleted that is just being referenced.
-- Taken after the row of the session.
create or replace function memory_internal.lock_lineage(lineage uuid, exclusively boolean default false) returns void
language plpgsql as $$
declare
    lock_key constant bigint := hashtextextended('session_lineage' || E'\n' || lineage, 0);
begin
    if exclusively then
        perform pg_advisory_xact_lock(lock_key);
    else
        perform pg_advisory_xact_lock_shared(lock_key);
    end if;
end $$;

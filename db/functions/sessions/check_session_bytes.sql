-- Raises ME051 if the data of a session would be longer than the bank allows.
create or replace function memory_internal.check_session_bytes(bank text, bytes integer) returns void
language plpgsql as $$
declare
    limit_bytes constant integer := (select l.session_bytes from memory_internal.session_limits(bank) as l);
begin
    if bytes > limit_bytes then
        raise exception using errcode = 'ME051', message = limit_bytes;
    end if;
end $$;

-- Raises ME050 if the bank has as many sessions as its cap. Takes an advisory lock per bank until the end of the
-- transaction, so that concurrent calls count each other's sessions. Called before a session is inserted.
create or replace function memory_internal.check_session_cap(bank text) returns void
language plpgsql as $$
declare
    cap constant integer := (select l.most_sessions from memory_internal.session_limits(bank) as l);
begin
    perform pg_advisory_xact_lock(hashtextextended('sessions' || E'\n' || bank, 0));
    if (select count(*) from memory.session_memory s where s.bank_id = bank) >= cap then
        raise exception using errcode = 'ME050', message = cap;
    end if;
end $$;

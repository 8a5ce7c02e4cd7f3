-- Returns the limits of a bank's sessions: its settings, else the defaults, which are defined only here.
--   most_sessions      sessions of the bank (10,000)
--   most_checkpoints   checkpoints of a session without a name, and as many with a name (100)
--   session_bytes      length of a session's data as JSON text in UTF-8 (1 MiB)
create or replace function memory_internal.session_limits(bank text)
returns table (most_sessions integer, most_checkpoints integer, session_bytes integer)
language plpgsql stable rows 1 as $$
declare
    bank_settings constant jsonb := memory_internal.bank_settings(bank);
begin
    return query select
        coalesce((bank_settings ->> 'most_sessions')::integer, 10000),
        coalesce((bank_settings ->> 'most_checkpoints')::integer, 100),
        coalesce((bank_settings ->> 'session_bytes')::integer, 1048576);
end $$;

-- Deletes a session with its checkpoints and the parts that they alone reached; returns whether it existed. Takes the
-- session's row, then the lineage lock.
create or replace function memory_api.delete_session(
    bank text, session text, actor text default 'operator', key text default null, at timestamptz default now())
returns boolean
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    perform from memory.session_memory s where s.bank_id = bank and s.session_id = session for update;
    if not found then
        return false;
    end if;
    perform memory_internal.delete_sessions(bank, array[session], actor, key, 'requested', at);
    return true;
end $$;

-- Deletes a checkpoint and returns whether it existed. The parts that it alone reached are deleted within the hour
-- (sweep_sessions). Takes the session's row.
create or replace function memory_api.delete_checkpoint(bank text, session text, checkpoint uuid) returns boolean
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    perform from memory.session_memory s where s.bank_id = bank and s.session_id = session for no key update;
    delete from memory.session_checkpoint c
     where c.bank_id = bank and c.session_id = session and c.checkpoint_id = checkpoint;
    if not found then
        return false;
    end if;
    update memory.session_memory s
       set unused_parts = true
     where s.bank_id = bank and s.session_id = session;
    return true;
end $$;

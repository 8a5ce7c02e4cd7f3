-- Gives a session the state and data of one of its checkpoints, moves its version on, and returns it as read_session
-- does; no row if the session or the checkpoint does not exist. Takes the session's row, then the lineage lock, shared.
create or replace function memory_api.restore_session(
    bank text, session text, checkpoint uuid, at timestamptz default now())
returns table (session_id text, lineage uuid, version bigint, state text, root bytea, bytes integer,
               created_at timestamptz, updated_at timestamptz, part_digests bytea[], part_contents text[],
               part_children bytea[], known bytea[])
language plpgsql as $$
declare
    restored memory.session_checkpoint;
    own_lineage uuid;
begin
    perform memory_internal.require_bank(bank);
    select s.lineage into own_lineage
      from memory.session_memory s
     where s.bank_id = bank and s.session_id = session
       for no key update;
    select c.* into restored
      from memory.session_checkpoint c
     where c.bank_id = bank and c.session_id = session and c.checkpoint_id = checkpoint;
    if not found then
        return;
    end if;
    perform memory_internal.lock_lineage(own_lineage);
    perform memory_internal.set_session_root(bank, session, restored.state, restored.root, restored.bytes, at);
    return query select * from memory_api.read_session(bank, session);
end $$;

-- Inserts the session `fork` with the state and data of another one, or of a checkpoint of it, and returns it as
-- read_session does; no row if the other session or the checkpoint does not exist. Raises ME052 if the bank has a
-- session of this id, ME050 above the cap. Takes the row of the other session, then the lineage lock, shared.
create or replace function memory_api.fork_session(
    bank text, session text, fork text, checkpoint uuid default null, at timestamptz default now())
returns table (session_id text, lineage uuid, version bigint, state text, root bytea, bytes integer,
               created_at timestamptz, updated_at timestamptz, part_digests bytea[], part_contents text[],
               part_children bytea[], known bytea[])
language plpgsql as $$
declare
    source memory.session_memory;
    restored memory.session_checkpoint;
begin
    perform memory_internal.require_bank(bank);
    select s.* into source
      from memory.session_memory s
     where s.bank_id = bank and s.session_id = session
       for no key update;
    if not found then
        return;
    end if;
    if checkpoint is not null then
        select c.* into restored
          from memory.session_checkpoint c
         where c.bank_id = bank and c.session_id = session and c.checkpoint_id = checkpoint;
        if not found then
            return;
        end if;
        source.state := restored.state;
        source.root := restored.root;
        source.bytes := restored.bytes;
    end if;
    perform memory_internal.check_session_cap(bank);
    perform memory_internal.lock_lineage(source.lineage);
    insert into memory.session_memory
        (bank_id, session_id, lineage, version, state, root, bytes, created_at, updated_at)
    values (bank, fork, source.lineage, 1, source.state, source.root, source.bytes, at, at)
    on conflict on constraint session_memory_pkey do nothing;
    if not found then
        raise exception using errcode = 'ME052', message = fork;
    end if;
    return query select * from memory_api.read_session(bank, fork);
end $$;

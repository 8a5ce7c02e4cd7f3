-- Inserts a checkpoint of a session as it is, and deletes the oldest ones without a name above the cap; returns the new
-- one, or no row if the session does not exist. Raises ME053 if the checkpoint has a name and as many as the cap have
-- one. Takes the session's row, then the lineage lock, shared.
create or replace function memory_api.create_checkpoint(
    bank text, session text, checkpoint uuid, name text default null, note text default null,
    at timestamptz default now())
returns setof memory.session_checkpoint
language plpgsql as $$
declare
    checkpointed memory.session_memory;
    most constant integer := (select l.most_checkpoints from memory_internal.session_limits(bank) as l);
begin
    perform memory_internal.require_bank(bank);
    select s.* into checkpointed
      from memory.session_memory s
     where s.bank_id = bank and s.session_id = session
       for no key update;
    if not found then
        return;
    end if;
    perform memory_internal.lock_lineage(checkpointed.lineage);
    if create_checkpoint.name is not null
       and (select count(*) from memory.session_checkpoint c
             where c.bank_id = bank and c.session_id = session and c.name is not null) >= most then
        raise exception using errcode = 'ME053', message = most;
    end if;
    return query
        insert into memory.session_checkpoint
            (bank_id, session_id, number, checkpoint_id, version, state, root, bytes, name, note, created_at)
        select bank, session,
               1 + coalesce((select max(c.number) from memory.session_checkpoint c
                              where c.bank_id = bank and c.session_id = session), 0),
               checkpoint, checkpointed.version, checkpointed.state, checkpointed.root, checkpointed.bytes,
               create_checkpoint.name, create_checkpoint.note, at
        returning *;
    delete from memory.session_checkpoint c
     where c.bank_id = bank and c.session_id = session and c.name is null
       and c.number <= (select o.number
                          from memory.session_checkpoint o
                         where o.bank_id = bank and o.session_id = session and o.name is null
                         order by o.number desc
                        offset most
                         limit 1);
    if found then
        update memory.session_memory s
           set unused_parts = true
         where s.bank_id = bank and s.session_id = session and not s.unused_parts;
    end if;
end $$;

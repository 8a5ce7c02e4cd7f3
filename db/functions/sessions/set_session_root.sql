-- Writes a session's root, and its state unless null, moves its version on, and returns it. The former root may leave
-- unused parts, unless the newest checkpoint has it. The caller holds the session's row and the lineage lock, shared.
create or replace function memory_internal.set_session_root(
    bank text, session text, state text, root bytea, bytes integer, at timestamptz)
returns setof memory.session_memory
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        update memory.session_memory s
           set version = s.version + 1,
               state = coalesce(set_session_root.state, s.state),
               root = set_session_root.root,
               bytes = set_session_root.bytes,
               updated_at = greatest(at, s.updated_at),
               unused_parts = s.unused_parts
                   or s.root <> set_session_root.root
                      and s.root is distinct from (
                          select c.root
                            from memory.session_checkpoint c
                           where c.bank_id = bank and c.session_id = session
                           order by c.number desc
                           limit 1)
         where s.bank_id = bank and s.session_id = session
        returning s.*;
end $$;

-- Inserts a session with the parts of its data and returns it without them. Raises ME052 if the bank has a session of
-- this id, ME050 or ME051 above a limit.
create or replace function memory_api.create_session(
    bank text, session text, lineage uuid, state text, root bytea, bytes integer, digests bytea[], contents text[],
    children bytea[], at timestamptz default now())
returns table (version bigint, created_at timestamptz, updated_at timestamptz)
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    perform memory_internal.check_session_bytes(bank, bytes);
    perform memory_internal.check_session_cap(bank);
    perform memory_internal.insert_session_parts(bank, lineage, digests, contents, children);
    return query
        insert into memory.session_memory as s
            (bank_id, session_id, lineage, version, state, root, bytes, created_at, updated_at)
        values (bank, session, create_session.lineage, 1, create_session.state, create_session.root,
                create_session.bytes, at, at)
        on conflict on constraint session_memory_pkey do nothing
        returning s.version, s.created_at, s.updated_at;
    if not found then
        raise exception using errcode = 'ME052', message = session;
    end if;
end $$;

-- Gives a session that is at version `expected`, with the root `former_root`, another root, and another state unless
-- null, and moves its version on. Returns no row if the session does not exist, else the session and `outcome`:
--   updated   the session is changed
--   stale     it is at another version, or has another root; nothing is changed
--   missing   one of `kept` does not exist any more: parts that the caller knew of and did not send; nothing is changed
-- `digests`, `contents`, `children` are new parts. Raises ME051 above the limit. Takes the session's row, then the
-- lineage lock, shared.
create or replace function memory_api.update_session(
    bank text, session text, expected bigint, former_root bytea, state text, root bytea, bytes integer, digests bytea[],
    contents text[], children bytea[], kept bytea[], at timestamptz default now())
returns table (outcome text, version bigint, lineage uuid, state_now text, created_at timestamptz,
               updated_at timestamptz)
language plpgsql as $$
declare
    former memory.session_memory;
    refused text;
begin
    perform memory_internal.require_bank(bank);
    select s.* into former
      from memory.session_memory s
     where s.bank_id = bank and s.session_id = session
       for no key update;
    if not found then
        return;
    end if;
    if former.version <> expected or former.root <> former_root then
        refused := 'stale';
    else
        perform memory_internal.check_session_bytes(bank, bytes);
        perform memory_internal.lock_lineage(former.lineage);
        if exists (
            select
              from unnest(kept) as k (digest)
             where not exists (select from memory.session_part p
                                where p.bank_id = bank and p.lineage = former.lineage and p.digest = k.digest)) then
            refused := 'missing';
        end if;
    end if;
    if refused is not null then
        return query
            select refused, former.version, former.lineage, former.state, former.created_at, former.updated_at;
        return;
    end if;
    perform memory_internal.insert_session_parts(bank, former.lineage, digests, contents, children);
    return query
        select 'updated', s.version, s.lineage, s.state, s.created_at, s.updated_at
          from memory_internal.set_session_root(bank, session, update_session.state, root, bytes, at) as s;
end $$;

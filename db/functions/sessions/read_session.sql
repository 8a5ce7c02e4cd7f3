-- Returns a session with its parts, all of them or not `whole` only those of its keys (session_parts), and those of
-- `digests` that its lineage has; no row if it does not exist. Stable: all queries have one snapshot, so the parts are
-- those of the returned version.
create or replace function memory_api.read_session(
    bank text, session text, whole boolean default true, digests bytea[] default '{}')
returns table (session_id text, lineage uuid, version bigint, state text, root bytea, bytes integer,
               created_at timestamptz, updated_at timestamptz, part_digests bytea[], part_contents text[],
               part_children bytea[], known bytea[])
language plpgsql stable as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select s.session_id, s.lineage, s.version, s.state, s.root, s.bytes, s.created_at, s.updated_at,
               p.digests, p.contents, p.children,
               array(select p.digest
                       from unnest(read_session.digests) as d (digest)
                      cross join lateral (
                        select p.digest
                          from memory.session_part p
                         where p.bank_id = bank and p.lineage = s.lineage and p.digest = d.digest
                        offset 0) as p)
          from memory.session_memory s
         cross join lateral (
            select array_agg(p.digest) as digests, array_agg(p.content) as contents, array_agg(p.children) as children
              from memory_internal.session_parts(bank, s.lineage, array[s.root], whole) as p) as p
         where s.bank_id = bank and s.session_id = session;
end $$;

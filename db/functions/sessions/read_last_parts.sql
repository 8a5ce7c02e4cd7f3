-- Returns the part `root` and below it the last child of each, down to one without children: `depth` 0, 1, .... Read by
-- update_session of memory_service to append to a list.
create or replace function memory_api.read_last_parts(bank text, lineage uuid, root bytea)
returns table (depth integer, content text, children bytea)
language plpgsql stable as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        with recursive spine as (
            select 0 as depth, p.content, p.children
              from memory.session_part p
             where p.bank_id = bank and p.lineage = read_last_parts.lineage and p.digest = root
            union all
            select spine.depth + 1, p.content, p.children
              from spine
             cross join lateral (
                select p.content, p.children
                  from memory.session_part p
                 where p.bank_id = bank and p.lineage = read_last_parts.lineage
                   and p.digest = substr(spine.children, greatest(octet_length(spine.children) - 31, 1))
                offset 0) as p
             where spine.children <> ''
        )
        select s.depth, s.content, s.children from spine s order by s.depth;
end $$;

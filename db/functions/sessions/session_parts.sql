-- Returns the parts that these roots reach, each once; not `whole`: only the roots and the parts below them as far as
-- those without content, which is how the keys of a session's data are read without their values.
-- `offset 0` keeps the planner from joining with all parts of the lineage: each part is one probe of the primary key.
create or replace function memory_internal.session_parts(
    bank text, lineage uuid, roots bytea[], whole boolean default true)
returns table (digest bytea, content text, children bytea)
language sql stable as $$
    with recursive reached as (
        select p.digest, p.content, p.children
          from unnest(roots) as r (digest)
         cross join lateral (
            select p.digest, p.content, p.children
              from memory.session_part p
             where p.bank_id = bank and p.lineage = session_parts.lineage and p.digest = r.digest
            offset 0) as p
        union
        select p.digest, p.content, p.children
          from reached
         cross join lateral memory_internal.part_children(reached.children) as c (digest)
         cross join lateral (
            select p.digest, p.content, p.children
              from memory.session_part p
             where p.bank_id = bank and p.lineage = session_parts.lineage and p.digest = c.digest
            offset 0) as p
         where whole or reached.content = ''
    )
    select r.digest, r.content, r.children from reached r;
$$;

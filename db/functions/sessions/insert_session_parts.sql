-- Inserts the parts that the lineage does not have yet, in the order of their digests, so that two forks that insert
-- the same ones wait in one order. The caller holds the lineage lock, shared.
create or replace function memory_internal.insert_session_parts(
    bank text, lineage uuid, digests bytea[], contents text[], children bytea[])
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.session_part (bank_id, lineage, digest, content, children)
    select bank, insert_session_parts.lineage, p.digest, p.content, p.children
      from unnest(digests, contents, insert_session_parts.children) as p (digest, content, children)
     order by p.digest
    on conflict on constraint session_part_pkey do nothing;
end $$;

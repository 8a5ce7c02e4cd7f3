-- Deletes the parts of a lineage that no session and no checkpoint reaches, and returns their number. The caller holds
-- the lineage lock exclusively: every part that a transaction is about to reference is visible here or is inserted by
-- it afterwards.
create or replace function memory_internal.delete_unused_parts(bank text, lineage uuid) returns integer
language plpgsql as $$
declare
    deleted integer;
begin
    perform memory_internal.enter_bank(bank);
    with reached as materialized (
        select p.digest
          from memory_internal.session_parts(
                   bank, delete_unused_parts.lineage,
                   array(select s.root
                           from memory.session_memory s
                          where s.bank_id = bank and s.lineage = delete_unused_parts.lineage
                          union
                         select c.root
                           from memory.session_memory s
                           join memory.session_checkpoint c on c.bank_id = bank and c.session_id = s.session_id
                          where s.bank_id = bank and s.lineage = delete_unused_parts.lineage)) as p
    )
    delete from memory.session_part p
     where p.bank_id = bank and p.lineage = delete_unused_parts.lineage
       and not exists (select from reached where reached.digest = p.digest);
    get diagnostics deleted = row_count;
    return deleted;
end $$;

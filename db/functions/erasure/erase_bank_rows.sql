-- Deletes every row of a bank in every table of schema memory, the bank itself last; receipts and ledger stay. The
-- tables come from the catalog, so that none can be forgotten: referencing tables before those that they reference.
-- Keys, grants of analysts and the rows of job_run and audit_event name the bank and stay: they hold no text. Called by
-- erase, which holds the bank's row `for update`.
create or replace function memory_internal.erase_bank_rows(bank text) returns void
language plpgsql as $$
declare
    one name;
begin
    perform memory_internal.enter_bank(bank);
    for one in
        with recursive owned as (
            select c.oid, c.relname
              from pg_class c
              join pg_attribute a on a.attrelid = c.oid and a.attname = 'bank_id' and not a.attisdropped
             where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
               and c.relname not in ('erasure', 'erased_item')
        ),
        ranked as (
            select o.oid, 0 as depth from owned o
             union all
            select k.confrelid, r.depth + 1
              from ranked r
              join pg_constraint k on k.conrelid = r.oid and k.contype = 'f' and k.confrelid <> k.conrelid
              join owned o on o.oid = k.confrelid
        )
        select o.relname
          from owned o
          join (select r.oid, max(r.depth) as depth from ranked r group by r.oid) as d on d.oid = o.oid
         order by d.depth, o.relname
    loop
        execute format('delete from memory.%I t where t.bank_id = $1', one) using bank;
    end loop;
end $$;

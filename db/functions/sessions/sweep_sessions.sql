-- Deletes the unused parts of the next lineage after `after_lineage` that may have some, and returns it, or null if
-- there is none. One lineage per call, so that its writers wait briefly. Sessions whose rows are locked keep their mark
-- and are swept again by a later call. Called by workers every hour.
create or replace function memory_api.sweep_sessions(bank text, after_lineage uuid default null) returns uuid
language plpgsql as $$
declare
    swept uuid;
begin
    perform memory_internal.require_bank(bank);
    select s.lineage into swept
      from memory.session_memory s
     where s.bank_id = bank and s.unused_parts and (after_lineage is null or s.lineage > after_lineage)
     order by s.lineage
     limit 1;
    if swept is not null then
        perform memory_internal.lock_lineage(swept, exclusively => true);
        update memory.session_memory s
           set unused_parts = false
         where s.bank_id = bank
           and s.session_id = any (array(select u.session_id
                                           from memory.session_memory u
                                          where u.bank_id = bank and u.lineage = swept and u.unused_parts
                                            for no key update skip locked));
        perform memory_internal.delete_unused_parts(bank, swept);
    end if;
    return swept;
end $$;

-- Deprecates procedures above the cap (enforce_caps) until new evidence or restore_memory brings them back. The caller
-- holds the bank lock.
create or replace function memory_internal.drop_procedures(
    bank text, memories uuid[], reason text, actor text, at timestamptz)
returns void
language plpgsql as $$
declare
    dropped record;
begin
    perform memory_internal.enter_bank(bank);
    for dropped in
        select p.memory_id, p.status
          from memory.procedural_memory p
         where p.bank_id = bank and p.memory_id = any (memories)
         order by p.memory_id
    loop
        update memory.procedural_memory p
           set status = 'deprecated', dropped_at = at
         where p.bank_id = bank and p.memory_id = dropped.memory_id;
        perform memory_internal.record_procedure(
            bank, dropped.memory_id, 'status', dropped.status, reason, drop_procedures.actor, at);
    end loop;
end $$;

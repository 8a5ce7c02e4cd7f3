-- Ends a procedure that another one replaces: it keeps its row and period. One that ended meanwhile is left unchanged.
-- The caller holds the bank lock.
create or replace function memory_internal.supersede_procedure(
    bank text, former uuid, successor uuid, ended_at timestamptz, actor text, at timestamptz)
returns void
language plpgsql as $$
declare
    former_status text;
begin
    perform memory_internal.enter_bank(bank);
    select p.status into former_status
      from memory.procedural_memory p
     where p.bank_id = bank and p.memory_id = former and p.status in ('active', 'tentative');
    if not found then
        return;
    end if;
    update memory.procedural_memory p
       set status = 'superseded', superseded_by = successor, valid_to = greatest(p.valid_from, ended_at)
     where p.bank_id = bank and p.memory_id = former;
    perform memory_internal.record_procedure(
        bank, former, 'superseded', former_status, 'replaced by ' || successor, supersede_procedure.actor, at);
end $$;

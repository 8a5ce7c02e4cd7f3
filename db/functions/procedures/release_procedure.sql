-- Releases a procedure from quarantine (release_memory) and enqueues its embedding. Returns whether there is one;
-- raises ME006 if it is not quarantined. Locks the row.
create or replace function memory_internal.release_procedure(bank text, memory uuid, actor text, at timestamptz)
returns boolean
language plpgsql as $$
declare
    present_status text;
begin
    perform memory_internal.enter_bank(bank);
    select p.status into present_status
      from memory.procedural_memory p
     where p.bank_id = bank and p.memory_id = memory
       for update;
    if not found then
        return false;
    elsif present_status <> 'quarantined' then
        raise exception using errcode = 'ME006', message = present_status;
    end if;
    update memory.procedural_memory p set released_at = at where p.bank_id = bank and p.memory_id = memory;
    perform memory_internal.set_procedure_status(
        bank, memory, 'quarantined', 'pending_embedding', 'released from quarantine', release_procedure.actor, at);
    update memory.gate_decision d
       set outcome = 'stored', reason = 'released: ' || d.reason, decided_by = release_procedure.actor, decided_at = at
     where d.bank_id = bank and d.memory_id = memory;
    perform memory_internal.enqueue_work(bank, 'procedures', memory::text, 0, at, at);
    return true;
end $$;

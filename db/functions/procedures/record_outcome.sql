-- Records that a procedure worked or failed, which moves its weight (procedure_weight), and returns it, or no row if it
-- does not exist. `note` becomes the reason of the version. Raises ME015 for one that was never in use, or is retracted
-- or dropped. Takes the bank lock.
create or replace function memory_api.record_outcome(
    bank text, memory uuid, outcome text, note text, actor text, at timestamptz default now())
returns setof memory_api.procedure_entry
language plpgsql as $$
declare
    former memory.procedural_memory;
begin
    perform memory_internal.lock_bank(bank);
    select p.* into former from memory.procedural_memory p where p.bank_id = bank and p.memory_id = memory;
    if not found then
        return;
    end if;
    if former.status not in ('active', 'tentative', 'superseded') then
        raise exception using errcode = 'ME015', message = former.status;
    end if;
    update memory.procedural_memory p
       set worked = p.worked + (outcome = 'worked')::integer, failed = p.failed + (outcome = 'failed')::integer
     where p.bank_id = bank and p.memory_id = memory;
    perform memory_internal.record_procedure(
        bank, memory, record_outcome.outcome, former.status, record_outcome.outcome, record_outcome.actor, at,
        nullif(record_outcome.note, ''));
    perform memory_internal.mark_bank_due(bank, 0, at);
    return query select * from memory_api.read_procedure(bank, memory);
end $$;

-- Releases a memory from quarantine after a person's review and enqueues its next work; `released_at` exempts it
-- from further harm checks. Returns the memory, or no row; raises ME006 if it is not quarantined. Locks the row: of
-- two concurrent calls one releases it, the other gets ME006.
create or replace function memory_api.release_memory(
    bank text, memory uuid, actor text, at timestamptz default now(), key text default null)
returns setof memory_api.memory_item
language plpgsql as $$
declare
    found_memory record;
begin
    perform memory_internal.require_bank(bank);
    select e.status, case when e.extracted_by is null then 'annotate' else 'embed' end as next_work into found_memory
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = memory
       for update;
    if not found then
        select p.status, 'procedures' as next_work into found_memory
          from memory.procedural_memory p
         where p.bank_id = bank and p.memory_id = memory
           for update;
    end if;
    if not found then
        return query select * from memory_api.read_memory(bank, memory);
        return;
    end if;
    if found_memory.status <> 'quarantined' then
        raise exception using errcode = 'ME006', message = found_memory.status;
    end if;
    if found_memory.next_work = 'procedures' then
        update memory.procedural_memory p set released_at = at where p.bank_id = bank and p.memory_id = memory;
        perform memory_internal.set_procedure_status(
            bank, memory, 'quarantined', 'pending_embedding', 'released from quarantine', actor, at);
    else
        update memory.episodic_memory e set released_at = at where e.bank_id = bank and e.memory_id = memory;
        perform memory_internal.set_episode_status(
            bank, memory, array['quarantined'], 'pending_embedding', 'released from quarantine', actor, at);
    end if;
    update memory.gate_decision d
       set outcome = 'stored', reason = 'released: ' || d.reason, decided_by = actor, decided_at = at
     where d.bank_id = bank and d.memory_id = memory;
    perform memory_internal.enqueue_work(bank, found_memory.next_work, memory::text, 0, at, at);
    perform memory_internal.record_audit('memory_released', actor, key, bank, array[memory::text], '{}', at);
    return query select * from memory_api.read_memory(bank, memory);
end $$;

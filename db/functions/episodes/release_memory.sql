-- Lets a memory out of quarantine: a person has looked at it and vouches for it. It goes on where the harm check had
-- held it back, and `released_at` tells whoever checks it again that this was decided. The answer is the memory, or no
-- row where there is none. Two at once: the row's lock lets one release it, the other is told what it is by then.
create or replace function memory_api.release_memory(bank text, memory uuid, actor text, at timestamptz default now())
returns setof memory_api.memory_item
language plpgsql as $$
declare
    held record;
begin
    perform memory_internal.require_bank(bank);
    select e.status, e.extracted_by into held
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = memory
       for update;
    if not found then
        return;
    end if;
    if held.status <> 'quarantined' then
        raise exception using errcode = 'ME006', message = held.status;
    end if;
    update memory.episodic_memory e set released_at = at where e.bank_id = bank and e.memory_id = memory;
    perform memory_internal.set_episode_status(
        bank, memory, array['quarantined'], 'pending_embedding', 'released from quarantine', actor, at);
    update memory.gate_decision d
       set outcome = 'stored', reason = 'released: ' || d.reason, decided_by = actor, decided_at = at
     where d.bank_id = bank and d.memory_id = memory;
    perform memory_internal.enqueue_work(
        bank, case when held.extracted_by is null then 'annotate' else 'embed' end, memory::text, 0, at, at);
    return query select * from memory_api.read_memory(bank, memory);
end $$;

-- Inserts an episode that a caller commits explicitly, with its gate decision and work. A repeated idempotency key
-- returns the memory it created (`created` false); with other content it raises ME004.
create or replace function memory_api.commit_memory(
    bank text, decision jsonb, episode jsonb, at timestamptz default now(),
    out memory_id uuid, out status text, out created boolean)
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    select b.memory_id, b.status, false into memory_id, status, created
      from memory_internal.find_committed(bank, episode ->> 'idempotency_key', episode -> 'given') as b;
    if found then
        return;
    end if;
    perform memory_internal.insert_episodes(bank, jsonb_build_array(episode), at);
    insert into memory.gate_decision
        (bank_id, decision_id, conversation_id, memory_id, outcome, reason, verdicts, decided_by, decided_at)
    values (bank, (decision ->> 'decision_id')::uuid, episode ->> 'conversation_id', (episode ->> 'memory_id')::uuid,
            decision ->> 'outcome', decision ->> 'reason', decision -> 'verdicts', decision ->> 'decided_by', at);
    memory_id := (episode ->> 'memory_id')::uuid;
    status := episode ->> 'status';
    created := true;
end $$;

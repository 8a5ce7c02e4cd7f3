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
    perform memory_internal.record_decision(
        bank, decision, (episode ->> 'memory_id')::uuid, episode ->> 'conversation_id', at);
    memory_id := (episode ->> 'memory_id')::uuid;
    status := episode ->> 'status';
    created := true;
end $$;

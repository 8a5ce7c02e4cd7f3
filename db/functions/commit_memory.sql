-- A conscious commit (S4): the episode, its decision and its work. The same idempotency key again answers with the
-- memory that it made; with other content it is refused.
create or replace function memory_api.commit_memory(
    bank text, decision jsonb, episode jsonb, at timestamptz default now(),
    out memory_id uuid, out status text, out created boolean)
language plpgsql as $$
declare
    known record;
begin
    perform memory_api.require_bank(bank);
    if episode ->> 'idempotency_key' is not null then
        -- Calls with the same key line up here; the second then finds what the first has made.
        perform pg_advisory_xact_lock(hashtextextended('idempotency' || E'\n' || bank || E'\n' || (episode ->> 'idempotency_key'), 0));
        select e.memory_id, e.status, e.given into known
          from memory.episodic_memory e
         where e.bank_id = bank and e.idempotency_key = episode ->> 'idempotency_key';
        if found then
            if known.given is distinct from episode -> 'given' then
                raise exception using errcode = 'ME004', message = episode ->> 'idempotency_key';
            end if;
            memory_id := known.memory_id;
            status := known.status;
            created := false;
            return;
        end if;
    end if;
    perform memory_api.insert_episodes(bank, jsonb_build_array(episode), at);
    insert into memory.gate_decision
        (bank_id, decision_id, conversation_id, memory_id, outcome, reason, verdicts, decided_by, decided_at)
    values (bank, (decision ->> 'decision_id')::uuid, episode ->> 'conversation_id', (episode ->> 'memory_id')::uuid,
            decision ->> 'outcome', decision ->> 'reason', decision -> 'verdicts', decision ->> 'decided_by', at);
    memory_id := (episode ->> 'memory_id')::uuid;
    status := episode ->> 'status';
    created := true;
end $$;

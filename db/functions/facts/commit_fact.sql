-- A conscious commit of a fact (S4): the fact, what it rests on (the judgement that it was committed), its decision and its
-- work: kind 'facts' with the fact's id as its subject, which finds out whom and what it is about and gives it its vector.
-- Until then it is a line of its own, listed but not recalled. The same idempotency key again answers with the memory that
-- it made, of whatever type; with other content it is refused (ME004).
create or replace function memory_api.commit_fact(
    bank text, decision jsonb, fact jsonb, at timestamptz default now(),
    out memory_id uuid, out status text, out created boolean)
language plpgsql as $$
declare
    said memory.semantic_memory;
    line text;
begin
    perform memory_internal.require_bank(bank);
    select b.memory_id, b.status, false into memory_id, status, created
      from memory_internal.find_committed(bank, commit_fact.fact ->> 'idempotency_key', commit_fact.fact -> 'given') as b;
    if found then
        return;
    end if;
    said := jsonb_populate_record(null::memory.semantic_memory, commit_fact.fact);
    line := memory_internal.timeline_key(null, null, null, 'many', memory_internal.text_fingerprint(said.fact));
    insert into memory.semantic_memory
        (bank_id, memory_id, idempotency_key, fact, timeline, said_key, importance, occurred_at, recorded_at,
         first_observed, last_confirmed, valid_from, source, agent_id, tags, recipients, metadata, given)
    values (bank, said.memory_id, said.idempotency_key, said.fact, line, memory_internal.text_fingerprint(said.fact),
            said.importance, said.occurred_at, at, said.occurred_at, said.occurred_at, said.occurred_at, said.source,
            said.agent_id, coalesce(said.tags, '{}'), coalesce(said.recipients, '{}'), coalesce(said.metadata, '{}'),
            said.given);
    insert into memory.fact_judgement (bank_id, fact_id, verdict, occurred_at, recorded_at, actor)
    values (bank, said.memory_id, 'committed', said.occurred_at, at, coalesce(said.agent_id, 'caller'));
    insert into memory.gate_decision
        (bank_id, decision_id, memory_id, outcome, reason, verdicts, decided_by, decided_at)
    values (bank, (decision ->> 'decision_id')::uuid, said.memory_id, decision ->> 'outcome', decision ->> 'reason',
            decision -> 'verdicts', decision ->> 'decided_by', at);
    -- Without the bank's lock, for which a commit must not wait: nobody else knows of this fact yet.
    perform memory_internal.refresh_facts(
        bank, array[said.memory_id], decision ->> 'reason', coalesce(said.agent_id, 'caller'), at);
    perform memory_internal.enqueue_work(bank, 'facts', said.memory_id::text, 0, at, at);
    memory_id := said.memory_id;
    select f.status into status
      from memory.semantic_memory f
     where f.bank_id = bank and f.memory_id = said.memory_id;
    created := true;
end $$;

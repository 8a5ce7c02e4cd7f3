-- Inserts a fact that a caller commits explicitly, with a 'committed' judgement, a gate decision, and work of kind
-- 'facts' with the fact's id as subject, which determines subject and attribute and embeds it
-- (place_committed_fact). Until then it has a separate timeline and is listed but not recalled. A repeated
-- idempotency key returns the memory it created, of whatever type; with other content it raises ME004. `actor`
-- defaults to the fact's agent.
create or replace function memory_api.commit_fact(
    bank text, decision jsonb, fact jsonb, at timestamptz default now(), actor text default null,
    out memory_id uuid, out status text, out created boolean)
language plpgsql as $$
declare
    new_fact memory.semantic_memory;
    own_timeline text;
    committed_by text;
begin
    perform memory_internal.require_bank(bank);
    select b.memory_id, b.status, false into memory_id, status, created
      from memory_internal.find_committed(bank, commit_fact.fact ->> 'idempotency_key', commit_fact.fact -> 'given') as b;
    if found then
        return;
    end if;
    new_fact := jsonb_populate_record(null::memory.semantic_memory, commit_fact.fact);
    committed_by := coalesce(commit_fact.actor, new_fact.agent_id, 'caller');
    own_timeline := memory_internal.timeline_key(null, null, null, 'many', memory_internal.text_fingerprint(new_fact.fact));
    insert into memory.semantic_memory
        (bank_id, memory_id, idempotency_key, fact, timeline, fingerprint, importance, occurred_at, recorded_at,
         first_observed, last_confirmed, valid_from, source, agent_id, tags, recipients, metadata, given)
    values (bank, new_fact.memory_id, new_fact.idempotency_key, new_fact.fact, own_timeline,
            memory_internal.text_fingerprint(new_fact.fact), new_fact.importance, new_fact.occurred_at, at,
            new_fact.occurred_at, new_fact.occurred_at, new_fact.occurred_at, new_fact.source,
            new_fact.agent_id, coalesce(new_fact.tags, '{}'), coalesce(new_fact.recipients, '{}'),
            coalesce(new_fact.metadata, '{}'), new_fact.given);
    insert into memory.fact_judgement (bank_id, fact_id, judgement, occurred_at, recorded_at, actor)
    values (bank, new_fact.memory_id, 'committed', new_fact.occurred_at, at, committed_by);
    perform memory_internal.record_decision(bank, decision, new_fact.memory_id, null, at);
    -- Without the bank lock, for which a commit must not wait: the fact is not visible to other transactions yet.
    perform memory_internal.refresh_facts(
        bank, array[new_fact.memory_id], decision ->> 'reason', committed_by, at);
    perform memory_internal.enqueue_work(bank, 'facts', new_fact.memory_id::text, 0, at, at);
    memory_id := new_fact.memory_id;
    select f.status into status
      from memory.semantic_memory f
     where f.bank_id = bank and f.memory_id = new_fact.memory_id;
    created := true;
end $$;

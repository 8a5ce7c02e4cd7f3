-- Inserts a procedure that a caller commits explicitly, with its gate decision, and work of kind 'procedures', which
-- embeds it and activates it, or merges it into the procedure that it repeats (write_procedures). A quarantined one
-- waits for its release. A repeated idempotency key returns the memory it created, of whatever type; with other content
-- it raises ME004. `procedure` may name the one that it `replaces`, which is superseded once the new one is active;
-- raises ME021 if there is none, ME015 if its status does not allow it.
create or replace function memory_api.commit_procedure(
    bank text, decision jsonb, procedure jsonb, at timestamptz default now(), actor text default null,
    out memory_id uuid, out status text, out created boolean)
language plpgsql as $$
declare
    new_procedure memory.procedural_memory;
    replaced_status text;
begin
    perform memory_internal.require_bank(bank);
    select b.memory_id, b.status, false into memory_id, status, created
      from memory_internal.find_committed(
               bank, commit_procedure.procedure ->> 'idempotency_key', commit_procedure.procedure -> 'given') as b;
    if found then
        return;
    end if;
    new_procedure := jsonb_populate_record(null::memory.procedural_memory, commit_procedure.procedure);
    if new_procedure.replaces is not null then
        select p.status into replaced_status
          from memory.procedural_memory p
         where p.bank_id = bank and p.memory_id = new_procedure.replaces;
        if not found then
            raise exception using errcode = 'ME021', message = new_procedure.replaces::text;
        elsif replaced_status not in ('active', 'tentative') then
            raise exception using errcode = 'ME015', message = replaced_status;
        end if;
    end if;
    insert into memory.procedural_memory
        (bank_id, memory_id, kind, content, situation, steps, why, status, confidence, importance, occurred_at,
         recorded_at, valid_from, replaces, tags, recipients, metadata, source, agent_id, idempotency_key, given,
         fingerprint, words)
    values (bank, new_procedure.memory_id, new_procedure.kind, new_procedure.content,
            coalesce(new_procedure.situation, ''), coalesce(new_procedure.steps, '{}'), new_procedure.why,
            new_procedure.status, 0.9, new_procedure.importance, new_procedure.occurred_at, at,
            new_procedure.occurred_at, new_procedure.replaces, coalesce(new_procedure.tags, '{}'),
            coalesce(new_procedure.recipients, '{}'), coalesce(new_procedure.metadata, '{}'), new_procedure.source,
            new_procedure.agent_id, new_procedure.idempotency_key, coalesce(new_procedure.given, '{}'),
            memory_internal.procedure_fingerprint(new_procedure.content, coalesce(new_procedure.situation, '')),
            memory_internal.procedure_words(
                bank, new_procedure.content, coalesce(new_procedure.situation, ''),
                coalesce(new_procedure.steps, '{}')));
    perform memory_internal.record_decision(bank, decision, new_procedure.memory_id, null, at);
    perform memory_internal.record_procedure(
        bank, new_procedure.memory_id, 'created', null, decision ->> 'reason',
        coalesce(commit_procedure.actor, new_procedure.agent_id, 'caller'), at);
    if new_procedure.status = 'pending_embedding' then
        perform memory_internal.enqueue_work(bank, 'procedures', new_procedure.memory_id::text, 0, at, at);
    end if;
    memory_id := new_procedure.memory_id;
    status := new_procedure.status;
    created := true;
end $$;

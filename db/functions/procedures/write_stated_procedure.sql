-- Writes a procedure that an episode states: evidence of the one that it repeats (once per episode), else a new one,
-- `tentative` unless `stated` as such. Returns whether it is new evidence. The caller holds the bank lock.
create or replace function memory_internal.write_stated_procedure(
    bank text, model text, episode uuid, statement jsonb, embedding public.halfvec, situation_embedding public.halfvec,
    at timestamptz)
returns boolean
language plpgsql as $$
declare
    origin memory.episodic_memory;
    known uuid;
    is_new boolean;
    stated constant boolean := (statement ->> 'stated')::boolean;
    content constant text := statement ->> 'content';
    situation constant text := coalesce(statement ->> 'situation', '');
    steps constant text[] := array(
        select jsonb_array_elements_text(coalesce(nullif(statement -> 'steps', 'null'), '[]')));
begin
    perform memory_internal.enter_bank(bank);
    select e.* into origin
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = episode and e.status in ('active', 'archived', 'merged_into');
    if not found then
        return false;
    end if;
    known := memory_internal.find_procedure(
        bank, model, content, situation, steps, embedding, situation_embedding, origin.occurred_at);
    is_new := known is null;
    if is_new then
        known := (statement ->> 'memory_id')::uuid;
        insert into memory.procedural_memory
            (bank_id, memory_id, kind, content, situation, steps, why, status, confidence, importance, occurred_at,
             recorded_at, valid_from, recipients, source, agent_id, extracted_by, fingerprint, words)
        values (bank, known, statement ->> 'kind', content, situation, steps, statement ->> 'why', 'tentative', 0.6,
                origin.importance, origin.occurred_at, at, origin.occurred_at, origin.recipients, origin.source,
                origin.agent_id, statement ->> 'extracted_by', memory_internal.procedure_fingerprint(content, situation),
                memory_internal.procedure_words(bank, content, situation, steps));
        perform memory_internal.set_procedure_vectors(bank, model, known, embedding, situation_embedding);
    end if;
    insert into memory.procedure_evidence
        (bank_id, procedure_id, evidence_id, stated, importance, occurred_at, recorded_at)
    values (bank, known, episode, stated, origin.importance, origin.occurred_at, at)
    on conflict on constraint procedure_evidence_pkey do nothing;
    if not found then
        return false;
    end if;
    perform memory_internal.refresh_procedure(
        bank, known, case when is_new then 'created' else 'reinforced' end, 'stated in ' || episode,
        coalesce(statement ->> 'extracted_by', 'worker'), at);
    return true;
end $$;

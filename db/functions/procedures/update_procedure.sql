-- Applies `changes` to a procedure (update_memory) and returns the id of the procedure that has them; `changed_fields`
-- are those that differ. Content with the same meaning (text_difference) is another wording, embedded again by the
-- worker. Other content is another procedure (`changes` has its `fact_id`), which supersedes this one once it is
-- embedded. Raises ME015 for a lesson, and for content of one that is not in use. The caller holds the bank lock and
-- the row.
create or replace function memory_internal.update_procedure(
    bank text, memory uuid, changes jsonb, changed_fields text[], actor text, decision jsonb, at timestamptz)
returns uuid
language plpgsql as $$
declare
    former memory.procedural_memory;
    changed_procedure uuid := memory;
    content constant text := changes ->> 'content';
begin
    perform memory_internal.enter_bank(bank);
    if 'lesson' = any (changed_fields) then
        raise exception using errcode = 'ME015', message = 'a procedure, which has no lesson';
    end if;
    select p.* into former from memory.procedural_memory p where p.bank_id = bank and p.memory_id = memory;
    if 'content' = any (changed_fields) then
        if former.status not in ('active', 'tentative') then
            raise exception using errcode = 'ME015', message = former.status;
        end if;
        if memory_api.text_difference(former.content, content) is null then
            update memory.procedural_memory p
               set content = changes ->> 'content',
                   fingerprint = memory_internal.procedure_fingerprint(changes ->> 'content', p.situation),
                   words = memory_internal.procedure_words(bank, changes ->> 'content', p.situation, p.steps)
             where p.bank_id = bank and p.memory_id = memory;
            perform memory_internal.record_decision(bank, decision, memory, null, at);
            perform memory_internal.enqueue_work(bank, 'procedures', memory::text, 0, at, at);
        else
            changed_procedure := (changes ->> 'fact_id')::uuid;
            perform from memory_api.commit_procedure(
                bank, decision,
                jsonb_build_object(
                    'memory_id', changed_procedure, 'kind', former.kind, 'content', content,
                    'situation', former.situation, 'steps', former.steps, 'why', former.why,
                    'status', 'pending_embedding', 'importance', former.importance, 'occurred_at', at,
                    'replaces', memory, 'tags', former.tags, 'recipients', former.recipients,
                    'metadata', former.metadata, 'source', former.source, 'agent_id', former.agent_id,
                    'given', jsonb_build_object('type', 'procedural', 'content', content, 'replaces', memory)),
                at, update_procedure.actor);
        end if;
    end if;
    update memory.procedural_memory p
       set tags = case when changes ? 'tags' then array(select jsonb_array_elements_text(changes -> 'tags')) else p.tags end,
           metadata = coalesce(changes -> 'metadata', p.metadata),
           importance = coalesce((changes ->> 'importance')::double precision, p.importance),
           given = memory_internal.with_changed(p.given, changes)
     where p.bank_id = bank and p.memory_id = changed_procedure;
    perform memory_internal.record_procedure(
        bank, changed_procedure, null, null,
        'changed: ' || array_to_string(changed_fields, ', '), update_procedure.actor, at);
    return changed_procedure;
end $$;

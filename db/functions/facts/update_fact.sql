-- Applies `changes` to a fact (update_memory) and returns the id of the fact that has them; `changed_fields` are those
-- that differ. An importance that was set is fixed: evidence does not raise it.
-- Content with the same meaning (text_difference) is another wording of the same fact, whose evidence stays; the worker
-- embeds it again. Other content is another statement: the fact is retracted as wrong, with the further statements
-- of its commit (place_part), its conflicts are resolved, and a new fact (`changes` has its `fact_id`) takes over its
-- period, filters, importance and pin. Its evidence stays with the retracted fact. Raises ME015 for a retracted fact
-- and for a lesson. The caller holds the bank lock and the row.
create or replace function memory_internal.update_fact(
    bank text, memory uuid, changes jsonb, changed_fields text[], actor text, decision jsonb, at timestamptz)
returns uuid
language plpgsql as $$
declare
    former memory.semantic_memory;
    changed_fact uuid := memory;
    parts uuid[];  -- the further statements of the commit
    retracted uuid;
    content constant text := changes ->> 'content';
begin
    perform memory_internal.enter_bank(bank);
    if 'lesson' = any (changed_fields) then
        raise exception using errcode = 'ME015', message = 'a fact, which has no lesson';
    end if;
    select f.* into former from memory.semantic_memory f where f.bank_id = bank and f.memory_id = memory;
    if 'content' = any (changed_fields) then
        if former.retracted_at is not null then
            raise exception using errcode = 'ME015', message = 'retracted';
        end if;
        parts := array(
            select p.memory_id
              from memory.semantic_memory p
             where p.bank_id = bank and p.given ->> 'part_of' = memory::text and p.status <> 'merged_into'
               and p.retracted_at is null
             order by p.memory_id);
        if memory_api.text_difference(former.fact, content) is null
            and (parts = '{}' or memory_api.text_difference(former.given ->> 'content', content) is null) then
            perform memory_internal.remove_work(bank, array['facts'], array[memory::text]);
            update memory.semantic_memory f
               set fact = content, fingerprint = memory_internal.text_fingerprint(content)
             where f.bank_id = bank and f.memory_id = memory;
            if exists (select from memory.memory_text t where t.bank_id = bank and t.memory_id = memory) then
                perform memory_internal.index_fact_words(bank, array[memory]);
            end if;
            perform memory_internal.enqueue_work(bank, 'facts', memory::text, 0, at, at);
            perform memory_internal.record_decision(bank, decision, memory, null, at);
        else
            changed_fact := (changes ->> 'fact_id')::uuid;
            foreach retracted in array memory || parts loop
                perform from memory_api.review_fact(bank, retracted, 'retracted', update_fact.actor, at);
            end loop;
            perform from memory_api.commit_fact(
                bank, decision,
                jsonb_build_object(
                    'memory_id', changed_fact, 'fact', content, 'occurred_at', former.valid_from,
                    'importance', former.importance, 'source', former.source, 'agent_id', former.agent_id,
                    'tags', former.tags, 'recipients', former.recipients, 'metadata', former.metadata,
                    'given', jsonb_build_object('type', 'semantic', 'content', content, 'replaces', memory)),
                at, update_fact.actor);
            insert into memory.fact_judgement (bank_id, fact_id, judgement, occurred_at, recorded_at, actor)
            select bank, changed_fact, judged.judgement, judged.occurred_at, at, update_fact.actor
              from (values ('ended', former.valid_to, former.valid_to is not null), ('pinned', at, former.pinned))
                   as judged (judgement, occurred_at, applies)
             where judged.applies;
            update memory.semantic_memory f
               set valid_to = former.valid_to, pinned = former.pinned
             where f.bank_id = bank and f.memory_id = changed_fact;
        end if;
    end if;
    update memory.semantic_memory f
       set tags = case when changes ? 'tags' then array(select jsonb_array_elements_text(changes -> 'tags')) else f.tags end,
           metadata = coalesce(changes -> 'metadata', f.metadata),
           importance = coalesce((changes ->> 'importance')::double precision, f.importance),
           given = memory_internal.with_changed(f.given, changes)
     where f.bank_id = bank and f.memory_id = changed_fact;
    perform memory_internal.refresh_facts(
        bank, array[changed_fact], 'changed: ' || array_to_string(changed_fields, ', '), update_fact.actor, at);
    return changed_fact;
end $$;

-- Changes a memory and returns it, or no row if it does not exist. `changes` has any of content, tags, metadata,
-- importance and lesson ('' removes it); tags and metadata replace the former ones. `expected` are etags of
-- memory_item: raises ME014 if the memory has none of them. Raises ME015 if its status does not allow the change.
-- `decision` is the gate decision on new content. A fact or procedure with other content becomes a new one, which is
-- returned (update_fact, update_procedure). Records an event with the fields that changed; a call that changes nothing
-- has no effect. Takes the bank lock, then the row.
create or replace function memory_api.update_memory(
    bank text, memory uuid, changes jsonb, actor text, expected text[] default null, decision jsonb default null,
    at timestamptz default now())
returns setof memory_api.memory_item
language plpgsql as $$
declare
    current_item memory_api.memory_item;
    changed_fields text[];
    changed_memory uuid := memory;
begin
    perform memory_internal.lock_bank(bank);
    perform from memory.episodic_memory e where e.bank_id = bank and e.memory_id = memory for no key update;
    perform from memory.semantic_memory f where f.bank_id = bank and f.memory_id = memory for no key update;
    perform from memory.procedural_memory p where p.bank_id = bank and p.memory_id = memory for no key update;
    select i.* into current_item from memory_api.memory_item i where i.bank_id = bank and i.memory_id = memory;
    if not found then
        return;
    end if;
    if current_item.etag <> all (expected) then
        raise exception using errcode = 'ME014', message = current_item.etag;
    end if;
    changed_fields := array(
        select c.key
          from jsonb_each(changes) as c
         where c.key in ('content', 'tags', 'metadata', 'importance', 'lesson')
           and c.value is distinct from coalesce(to_jsonb(current_item) -> c.key, 'null')
           and not (c.key = 'lesson' and c.value = '""' and current_item.lesson is null)
         order by c.key);
    if changed_fields = '{}' then
        return query select * from memory_api.read_memory(bank, memory);
        return;
    end if;
    if current_item.merged_into_id is not null then
        raise exception using errcode = 'ME015', message = 'merged into ' || current_item.merged_into_id;
    end if;
    if current_item.type = 'episodic' then
        perform memory_internal.update_episode(bank, memory, changes, changed_fields, actor, decision, at);
    elsif current_item.type = 'procedural' then
        changed_memory := memory_internal.update_procedure(
            bank, memory, changes, changed_fields, actor, decision, at);
    else
        changed_memory := memory_internal.update_fact(bank, memory, changes, changed_fields, actor, decision, at);
    end if;
    insert into memory.memory_event
        (bank_id, memory_id, memory_type, event, from_status, to_status, reason, actor, at, detail)
    select bank, memory, current_item.type, 'updated', current_item.status, i.status,
           'changed: ' || array_to_string(changed_fields, ', '), update_memory.actor, update_memory.at,
           jsonb_strip_nulls(jsonb_build_object(
               'fields', to_jsonb(changed_fields), 'replaced_by', nullif(changed_memory, memory)))
      from memory_api.memory_item i
     where i.bank_id = bank and i.memory_id = memory;
    perform memory_internal.mark_bank_due(bank, 0, at);
    return query select * from memory_api.read_memory(bank, changed_memory);
end $$;

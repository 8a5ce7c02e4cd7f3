-- Inserts a norm and returns its id. The norm of the same kind and slot that is in force ends at `valid_from`, replaced
-- by it; a later one ends the new norm instead, which then is history. The caller holds the bank lock.
create or replace function memory_internal.insert_norm(
    bank text, kind text, slot text, norm text, situation text, value text, level double precision,
    confidence double precision, status text, pinned boolean, source text, agent text, extracted_by text,
    valid_from timestamptz, reason text, actor text, at timestamptz)
returns uuid
language plpgsql as $$
declare
    new_id constant uuid := gen_random_uuid();
    present constant memory.relational_memory := memory_internal.norm_in_force(bank, kind, slot);
    ends_at timestamptz;
    ends_by uuid;
begin
    perform memory_internal.enter_bank(bank);
    if present.valid_from > insert_norm.valid_from then
        select n.valid_from, n.memory_id into ends_at, ends_by
          from memory.relational_memory n
         where n.bank_id = bank and n.kind = insert_norm.kind and n.slot = insert_norm.slot and n.status <> 'deprecated'
           and n.valid_from > insert_norm.valid_from
         order by n.valid_from, n.memory_id
         limit 1;
    elsif present.memory_id is not null then
        update memory.relational_memory n
           set valid_to = greatest(insert_norm.valid_from, n.valid_from), superseded_by = new_id
         where n.bank_id = bank and n.memory_id = present.memory_id;
        perform memory_internal.record_norm_version(bank, present.memory_id, 'replaced', actor, at);
    end if;
    insert into memory.relational_memory
        (bank_id, memory_id, kind, slot, situation, norm, value, level, confidence, status, pinned, first_observed,
         last_confirmed, valid_from, valid_to, superseded_by, source, agent_id, extracted_by, recorded_at)
    values (bank, new_id, insert_norm.kind, insert_norm.slot, coalesce(insert_norm.situation, ''), insert_norm.norm,
            insert_norm.value, insert_norm.level, insert_norm.confidence, insert_norm.status, insert_norm.pinned,
            insert_norm.valid_from, insert_norm.valid_from, insert_norm.valid_from, ends_at, ends_by,
            insert_norm.source, insert_norm.agent, insert_norm.extracted_by, insert_norm.at);
    perform memory_internal.record_norm_version(bank, new_id, insert_norm.reason, insert_norm.actor, insert_norm.at);
    return new_id;
end $$;

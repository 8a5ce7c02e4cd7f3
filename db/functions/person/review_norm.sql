-- Records a person's judgement on a norm: confirmed, removed, pinned or unpinned. Returns whether the norm exists. A
-- removed norm is deprecated; statements from before the removal do not bring it back. Confirming a removed or dropped
-- norm restores it, unless another norm of its slot is in force (ME022). Facts that state it end and return with it.
-- Pinning, unpinning or removing again changes nothing. Takes the bank lock.
create or replace function memory_api.review_norm(
    bank text, norm uuid, judgement text, actor text, key text default null, at timestamptz default now())
returns boolean
language plpgsql as $$
declare
    reviewed memory.relational_memory;
begin
    perform memory_internal.lock_bank(bank);
    select n.* into reviewed from memory.relational_memory n where n.bank_id = bank and n.memory_id = review_norm.norm;
    if not found then
        return false;
    end if;
    if judgement = 'pinned' and reviewed.pinned or judgement = 'unpinned' and not reviewed.pinned
       or judgement = 'removed' and reviewed.removed_at is not null then
        return true;
    end if;
    if judgement = 'confirmed' then
        if exists (select from memory.relational_memory n
                    where n.bank_id = bank and n.kind = reviewed.kind and n.slot = reviewed.slot
                      and n.memory_id <> reviewed.memory_id and n.valid_to is null and n.status <> 'deprecated') then
            raise exception using errcode = 'ME022', message = 'replaced by a newer norm';
        end if;
        update memory.relational_memory n
           set confidence = greatest(0.9, n.confidence + 0.05 * (1 - n.confidence)), status = 'stable', removed_at = null,
               valid_to = null, superseded_by = null, last_confirmed = greatest(n.last_confirmed, review_norm.at)
         where n.bank_id = bank and n.memory_id = review_norm.norm;
    elsif judgement = 'removed' then
        update memory.relational_memory n
           set status = 'deprecated', removed_at = review_norm.at, pinned = false
         where n.bank_id = bank and n.memory_id = review_norm.norm;
        perform memory_internal.record_audit(
            'norm_removed', review_norm.actor, key, bank, array[review_norm.norm::text], '{}', at);
    else
        update memory.relational_memory n
           set pinned = judgement = 'pinned'
         where n.bank_id = bank and n.memory_id = review_norm.norm;
    end if;
    perform memory_internal.record_norm_version(bank, review_norm.norm, judgement, review_norm.actor, at);
    perform memory_internal.end_instruction_facts(bank, at);
    return true;
end $$;

-- Ends the norm of a kind and slot that is in force at `valid_to`, and returns its id; null if there is none, or if it
-- is pinned or began later. The caller holds the bank lock.
create or replace function memory_internal.end_norm(
    bank text, kind text, slot text, valid_to timestamptz, reason text, actor text, at timestamptz)
returns uuid
language plpgsql as $$
declare
    ended uuid;
begin
    perform memory_internal.enter_bank(bank);
    update memory.relational_memory n
       set valid_to = end_norm.valid_to
     where n.bank_id = bank and n.kind = end_norm.kind and n.slot = end_norm.slot and n.valid_to is null
       and n.status <> 'deprecated' and not n.pinned and n.valid_from <= end_norm.valid_to
    returning n.memory_id into ended;
    if ended is not null then
        perform memory_internal.record_norm_version(bank, ended, end_norm.reason, end_norm.actor, end_norm.at);
    end if;
    return ended;
end $$;

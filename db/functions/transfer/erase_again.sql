-- Erases what the ledger of a bank, or of the bank `exported_bank` of which it was imported, lists as erased, with all
-- that was derived from it, and writes a receipt. Returns the receipt's id, null if nothing was listed. Extracted
-- facts, procedures and norms follow from the episodes that state them. Runs as the owner, as erase does, and for the
-- ledger of `exported_bank`.
create or replace function memory_internal.erase_again(
    bank text, exported_bank text, erasure uuid, actor text, key text, at timestamptz)
returns uuid
language plpgsql security definer set search_path = pg_catalog, public, pg_temp
set plan_cache_mode = force_custom_plan as $$
declare
    memories uuid[];
    messages uuid[];
    before jsonb;
begin
    perform memory_internal.enter_bank(bank);
    if not exists (select from memory.erased_item i where i.bank_id = bank)
       and not exists (select from memory.erased_item i where exported_bank = i.bank_id) then
        return null;
    end if;
    memories := array(
        select e.memory_id from memory.episodic_memory e where e.bank_id = bank
           and memory_internal.is_erased(bank, exported_bank, 'memory', e.memory_id::text)
         union all
        select f.memory_id from memory.semantic_memory f where f.bank_id = bank and f.extracted_by is null
           and memory_internal.is_erased(bank, exported_bank, 'memory', f.memory_id::text)
         union all
        select p.memory_id from memory.procedural_memory p where p.bank_id = bank and p.extracted_by is null
           and memory_internal.is_erased(bank, exported_bank, 'memory', p.memory_id::text)
         union all
        select n.memory_id from memory.relational_memory n where n.bank_id = bank and n.extracted_by = 'stated'
           and memory_internal.is_erased(bank, exported_bank, 'norm', n.memory_id::text));
    messages := array(
        select m.message_id from memory.message m where m.bank_id = bank
           and memory_internal.is_erased(bank, exported_bank, 'message', m.message_id::text));
    if memories = '{}' and messages = '{}' then
        return null;
    end if;
    before := memory_internal.deleted_rows();
    insert into memory.erasure
        (bank_id, erasure_id, scope, selector, status, actor, key_id, reason, requested_at, unreachable_at)
    values (bank, erasure, 'memory', '{}', 'unreachable', erase_again.actor, key, 'import of erased memories', at, at);
    perform memory_internal.erase_rows(
        bank, 'ledger', jsonb_build_object('memory_ids', to_jsonb(memories), 'message_ids', to_jsonb(messages)),
        erasure, erase_again.actor, at);
    update memory.erasure e
       set row_counts = memory_internal.deleted_rows(before)
     where e.bank_id = bank and e.erasure_id = erasure;
    return erasure;
end $$;

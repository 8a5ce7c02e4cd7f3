-- Returns an erasure as a line of the ledger outside of the database (memory_service/erasure/ledger.py), null for an
-- unknown one: keyed hashes of ids, and times. Called in the transaction of the erasure, and for those that a ledger
-- lacks.
create or replace function memory_api.erasure_line(bank text, erasure uuid) returns jsonb
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    return (
        select jsonb_build_object(
                   'erasure', e.erasure_id, 'key', memory_internal.erasure_ledger_key(),
                   'bank', encode(memory_internal.erased_id_hash('bank', bank), 'hex'), 'scope', e.scope,
                   'selector', e.selector, 'at', e.requested_at,
                   'items', coalesce((
                       select jsonb_object_agg(k.kind, k.hashes)
                         from (select i.kind, jsonb_agg(encode(i.id_hash, 'hex') order by i.id_hash) as hashes
                                 from memory.erased_item i
                                where i.bank_id = bank and i.erasure_id = e.erasure_id
                                group by i.kind) as k), '{}'))
          from memory.erasure e
         where e.bank_id = bank and e.erasure_id = erasure_line.erasure);
end $$;

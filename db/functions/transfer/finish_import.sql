-- Completes an import in its transaction: judgements that merges refer to get their numbers here, deferred constraints
-- are checked, and memories that the ledger of this bank, or of the bank `exported_bank`, lists as erased are erased
-- again with all data derived from them (erase_again). With `embeds` the worker makes the vectors. Returns the receipt
-- of that erasure, null if nothing was listed.
create or replace function memory_api.finish_import(
    bank text, exported_bank text, erasure uuid, counts jsonb, embeds boolean default false,
    actor text default 'operator', key text default null, at timestamptz default now())
returns uuid
language plpgsql as $$
declare
    receipt uuid;
begin
    perform memory_internal.enter_bank(bank);
    set constraints all immediate;
    update memory.fact_merge m
       set judgements = array(
               select n.judgement_id from unnest(m.judgements) with ordinality as g (number, place)
                 join memory_internal.judgement_numbers(bank) as n on n.number = g.number order by g.place),
           winner_before = case when m.winner_before ? 'judgements' then
               jsonb_set(m.winner_before, '{judgements}', to_jsonb(array(
                   select n.judgement_id from jsonb_array_elements_text(m.winner_before -> 'judgements') as g (number)
                     join memory_internal.judgement_numbers(bank) as n on n.number = g.number::bigint
                    order by n.number)))
               else m.winner_before end
     where m.bank_id = bank and (m.judgements <> '{}' or m.winner_before ? 'judgements');
    receipt := memory_internal.erase_again(bank, exported_bank, erasure, actor, key, at);
    if embeds then
        perform memory_internal.enqueue_lost_vectors(bank, at);
    end if;
    perform memory_internal.mark_bank_due(bank, 0, at);
    perform memory_internal.record_audit(
        'bank_imported', actor, key, bank, array_remove(array[receipt::text], null),
        jsonb_build_object('exported_bank', exported_bank, 'row_counts', counts), at);
    return receipt;
end $$;

-- Erases by scope and selector (erasure_selection; `bank`: all of it, {}), in this transaction, and returns the
-- receipt. The same again, with nothing left to erase, returns the former receipt (`created` false); no row if nothing
-- was ever there. With `dry_run` everything is done and rolled back: `row_counts` and `items` are exactly what the
-- erasure would do, and nothing is stored. `row_counts` are rows deleted by table; `items` ids by kind. A receipt holds
-- the hashes of the ids that the selector names (hashed_selector), a plan the ids.
-- Runs as the owner: the service role may not delete messages, events and versions. Takes erasure_lock_key of the
-- bank's traces, so that traces being written are erased as well; then, for the bank, its own, for messages being
-- written; then the bank lock.
create or replace function memory_api.erase(
    bank text, erasure uuid, scope text, selector jsonb, actor text, key text default null, reason text default null,
    dry_run boolean default false, at timestamptz default now())
returns table (erasure_id uuid, erased_scope text, erased_selector jsonb, status text, erased_by text, erased_reason text,
               requested_at timestamptz, unreachable_at timestamptz, scrubbed_at timestamptz, row_counts jsonb,
               created boolean, items jsonb)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_variable
declare
    undo constant text := 'ME060';
    before constant jsonb := memory_internal.deleted_rows();
    hashed constant jsonb := memory_internal.hashed_selector(selector);
    counts jsonb;
    found_items jsonb := '{}';
    bank_known boolean;
    anything_found boolean;
begin
    perform memory_internal.enter_bank(bank);
    perform pg_advisory_xact_lock(memory_internal.erasure_lock_key('traces of ' || bank));
    if scope = 'bank' then
        perform pg_advisory_xact_lock(memory_internal.erasure_lock_key(bank));
        perform from memory.bank b where b.bank_id = bank for update;
    else
        perform from memory.bank b where b.bank_id = bank for no key update;
    end if;
    bank_known := found;
    anything_found := bank_known;
    if not bank_known and scope <> 'bank' then
        raise exception using errcode = 'ME001', message = format('there is no bank %L', bank);
    end if;
    begin
        if bank_known then
            insert into memory.erasure
                (bank_id, erasure_id, scope, selector, status, actor, key_id, reason, requested_at, unreachable_at)
            values (bank, erasure, scope, hashed, 'unreachable', actor, key, reason, at, at);
            if scope = 'bank' then
                perform memory_internal.erase_bank_rows(bank);
                insert into memory.erased_item (bank_id, erasure_id, kind, id_hash)
                values (bank, erasure, 'bank', memory_internal.erased_id_hash('bank', bank));
            else
                select e.items, e.erased into found_items, anything_found
                  from memory_internal.erase_rows(bank, scope, selector, erasure, actor, at) as e;
            end if;
        end if;
        counts := memory_internal.deleted_rows(before);
        if dry_run or not anything_found then
            raise exception using errcode = undo;
        end if;
        update memory.erasure e set row_counts = counts where e.bank_id = bank and e.erasure_id = erasure;
        perform memory_internal.record_audit(
            'erased', actor, key, bank, array[erasure::text],
            jsonb_build_object('scope', scope, 'row_counts', counts), at);
    exception when sqlstate 'ME060' then null;
    end;
    if dry_run and anything_found then
        return query
            select null::uuid, scope, selector, 'planned'::text, actor, reason, at, null::timestamptz, null::timestamptz,
                   counts, false, found_items;
        return;
    end if;
    return query
        select e.erasure_id, e.scope, e.selector, e.status, e.actor, e.reason, e.requested_at, e.unreachable_at,
               e.scrubbed_at, e.row_counts, anything_found, case when anything_found then found_items else '{}' end
          from memory.erasure e
         where e.bank_id = bank
           and case when anything_found then e.erasure_id = erasure
                    else e.scope = erase.scope and e.selector = hashed end
         order by e.requested_at desc
         limit 1;
end $$;

-- Carries out the erasures of a ledger (erasure_line) on a bank that does not know them, as after the restore of a
-- backup from before, and returns their number. Each selects what it named, and erases all that it listed: some of it
-- may have been made only after the backup, or been deleted before the erasure. Receipts keep id, scope, selector and
-- time of the request; a known erasure is left out, so that it can be repeated. Hashes are those of this installation's
-- secret. Runs as the owner, takes the locks of erase, and is one transaction.
create or replace function memory_internal.replay_erasures(bank text, lines jsonb, at timestamptz default now())
returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp
set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_variable
declare
    by_ledger constant text := 'ledger';
    bank_known boolean;
    listed jsonb;
    line record;
    before jsonb;
    counts jsonb;
    named jsonb;
    replayed integer := 0;
begin
    perform memory_internal.enter_bank(bank);
    perform pg_advisory_xact_lock(memory_internal.erasure_lock_key('traces of ' || bank));
    perform pg_advisory_xact_lock(memory_internal.erasure_lock_key(bank));
    perform from memory.bank b where b.bank_id = bank for update;
    bank_known := found;
    if bank_known then
        select coalesce(jsonb_agg(to_jsonb(i)), '[]') into listed
          from memory_internal.ids_by_hash(bank, array(
                select v #>> '{}' from jsonb_path_query(lines, '$[*].items.*[*]') as v
                 union all
                select v #>> '{}' from jsonb_path_query(lines, '$[*].selector.memory_ids[*]') as v
                 union all
                select v #>> '{}' from jsonb_path_query(lines, '$[*].selector.conversation_id') as v
                 union all
                select v #>> '{}' from jsonb_path_query(lines, '$[*].selector.agent_id') as v)) as i;
    end if;
    for line in
        select l.erasure, l.scope, l.selector, l.at, l.items
          from jsonb_to_recordset(lines) as l (erasure uuid, scope text, selector jsonb, at timestamptz, items jsonb)
         where not exists (select from memory.erasure e where e.bank_id = bank and e.erasure_id = l.erasure)
         order by l.at, l.erasure
    loop
        before := memory_internal.deleted_rows();
        insert into memory.erasure
            (bank_id, erasure_id, scope, selector, status, actor, reason, requested_at, unreachable_at)
        values (bank, line.erasure, line.scope, line.selector, 'unreachable', by_ledger, 'replayed from the ledger', line.at,
                at);
        if bank_known and line.scope = 'bank' then
            perform memory_internal.erase_bank_rows(bank);
            bank_known := false;
        elsif bank_known then
            named := case line.scope
                when 'period' then line.selector
                when 'conversation' then (
                    select jsonb_build_object('conversation_id', i.id)
                      from jsonb_to_recordset(listed) as i (kind text, id text, hash text)
                     where i.kind = 'conversation' and i.hash = line.selector ->> 'conversation_id')
                when 'agent' then (
                    select jsonb_build_object('agent_id', i.id)
                      from jsonb_to_recordset(listed) as i (kind text, id text, hash text)
                     where i.kind = 'agent' and i.hash = line.selector ->> 'agent_id')
                else (
                    select jsonb_build_object('memory_ids', jsonb_agg(i.id order by i.id))
                      from jsonb_to_recordset(listed) as i (kind text, id text, hash text)
                     where i.kind = 'memory' and line.selector -> 'memory_ids' ? i.hash
                    having count(*) > 0)
                end;
            if named is not null then
                perform memory_internal.erase_rows(bank, line.scope, named, line.erasure, by_ledger, at);
            end if;
            perform memory_internal.erase_rows(bank, 'ledger', (
                select jsonb_build_object(
                           'memory_ids', coalesce(jsonb_agg(i.id) filter (where i.kind <> 'message'), '[]'),
                           'message_ids', coalesce(jsonb_agg(i.id) filter (where i.kind = 'message'), '[]'))
                  from jsonb_to_recordset(listed) as i (kind text, id text, hash text, direct boolean)
                 where i.kind in ('message', 'memory', 'norm') and i.direct and line.items -> i.kind ? i.hash),
                line.erasure, by_ledger, at);
        end if;
        insert into memory.erased_item (bank_id, erasure_id, kind, id_hash)
        select bank, line.erasure, k.kind, decode(h.hash, 'hex')
          from jsonb_each(line.items) as k (kind, hashes)
         cross join lateral jsonb_array_elements_text(k.hashes) as h (hash)
            on conflict on constraint erased_item_pkey do nothing;
        counts := memory_internal.deleted_rows(before);
        update memory.erasure e set row_counts = counts where e.bank_id = bank and e.erasure_id = line.erasure;
        perform memory_internal.record_audit(
            'erased', by_ledger, null, bank, array[line.erasure::text],
            jsonb_build_object('scope', line.scope, 'row_counts', counts), at);
        replayed := replayed + 1;
    end loop;
    return replayed;
end $$;

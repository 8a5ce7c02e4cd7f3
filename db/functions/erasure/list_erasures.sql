-- Returns one page of receipts of a bank, newest first, also of a bank that was erased. Raises ME001 if there is
-- neither the bank nor a receipt.
create or replace function memory_api.list_erasures(bank text, page integer, after uuid default null)
returns table (erasure_id uuid, scope text, selector jsonb, status text, actor text, reason text,
               requested_at timestamptz, unreachable_at timestamptz, scrubbed_at timestamptz, row_counts jsonb)
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    if not exists (select from memory.bank b where b.bank_id = bank)
       and not exists (select from memory.erasure e where e.bank_id = bank) then
        raise exception using errcode = 'ME001', message = format('there is no bank %L', bank);
    end if;
    return query
        select e.erasure_id, e.scope, e.selector, e.status, e.actor, e.reason, e.requested_at, e.unreachable_at,
               e.scrubbed_at, e.row_counts
          from memory.erasure e
         where e.bank_id = bank
           and (list_erasures.after is null or (e.requested_at, e.erasure_id) < (
                select a.requested_at, a.erasure_id from memory.erasure a
                 where a.bank_id = bank and a.erasure_id = list_erasures.after))
         order by e.requested_at desc, e.erasure_id desc
         limit page;
end $$;

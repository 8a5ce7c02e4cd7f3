-- Deletes at most `page` expired idempotency keys of a bank with their answers and returns their number. Rows locked
-- by others are skipped, so that it can be repeated, interrupted and run concurrently. Called by workers every hour.
create or replace function memory_api.expire_idempotency_keys(
    bank text, page integer default 1000, at timestamptz default now())
returns integer
language plpgsql as $$
declare
    deleted integer;
begin
    perform memory_internal.enter_bank(bank);
    with expired as materialized (
        select k.holder, k.key
          from memory.idempotency_key k
         where k.bank_id = bank and k.created_at <= at - memory_internal.idempotency_key_lifetime()
         order by k.created_at
         limit page
           for update skip locked
    )
    delete from memory.idempotency_key k
     using expired
     where k.bank_id = bank and k.holder = expired.holder and k.key = expired.key;
    get diagnostics deleted = row_count;
    return deleted;
end $$;

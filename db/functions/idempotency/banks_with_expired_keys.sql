-- Returns the banks with expired idempotency keys; callers process them one by one, because a transaction may enter
-- one bank only. One index probe per bank. Runs as the owner.
create or replace function memory_api.banks_with_expired_keys(at timestamptz default now())
returns table (bank_id text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select b.bank_id
      from memory.bank b
     where exists (select from memory.idempotency_key k
                    where k.bank_id = b.bank_id
                      and k.created_at <= at - memory_internal.idempotency_key_lifetime())
     order by b.bank_id;
$$;

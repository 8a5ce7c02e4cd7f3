-- Begins a request with an idempotency key of one key holder: returns the stored answer if the request was answered
-- before, else no row; the caller then stores its answer in the same transaction (store_answer). Raises ME012 while
-- another transaction holds the key, ME013 if the key was used with another request. Takes an advisory lock per bank,
-- holder and key until the end of the transaction. The bank need not exist: a request may create it.
create or replace function memory_api.claim_idempotency_key(
    bank text, holder text, key text, request_hash bytea, at timestamptz default now())
returns table (status integer, body text)
language plpgsql as $$
declare
    known memory.idempotency_key;
begin
    perform memory_internal.enter_bank(bank);
    if not pg_try_advisory_xact_lock(
        hashtextextended(concat_ws(E'\n', 'idempotency_key', bank, claim_idempotency_key.holder,
                                   claim_idempotency_key.key), 0)) then
        raise exception using errcode = 'ME012', message = claim_idempotency_key.key;
    end if;
    select k.* into known
      from memory.idempotency_key k
     where k.bank_id = bank and k.holder = claim_idempotency_key.holder and k.key = claim_idempotency_key.key
       and k.created_at > at - memory_internal.idempotency_key_lifetime();
    if not found then
        return;
    end if;
    if known.request_hash <> claim_idempotency_key.request_hash then
        raise exception using errcode = 'ME013', message = claim_idempotency_key.key;
    end if;
    return query select known.status, known.body;
end $$;

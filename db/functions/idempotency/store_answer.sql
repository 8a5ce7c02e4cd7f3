-- Stores the answer to a request with an idempotency key, in the transaction of the request's effect; an expired
-- answer of the same key is replaced. `subject` is the memory in the request's path, with which the answer is deleted.
-- The caller holds the key (claim_idempotency_key).
create or replace function memory_api.store_answer(
    bank text, holder text, key text, request_hash bytea, status integer, body text, subject uuid default null,
    at timestamptz default now())
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.idempotency_key (bank_id, holder, key, request_hash, status, body, subject, created_at)
    values (bank, store_answer.holder, store_answer.key, store_answer.request_hash, store_answer.status,
            store_answer.body, store_answer.subject, at)
    on conflict on constraint idempotency_key_pkey do update
       set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body,
           subject = excluded.subject, created_at = excluded.created_at;
end $$;

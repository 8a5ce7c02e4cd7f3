-- Returns the name of the secret that ids are hashed with: ledgers outside of the database are named by it.
create or replace function memory_internal.erasure_ledger_key() returns text
language sql stable as $$
    select left(encode(memory_internal.erased_id_hash('ledger', ''), 'hex'), 16);
$$;

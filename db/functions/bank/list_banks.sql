-- One page of the banks, in the order of their names, without their settings, which may name people. Called by the
-- command `banks`, not over HTTP. Runs as the owner: row security shows one bank a transaction.
create or replace function memory_api.list_banks(page integer, after_bank text default '')
returns table (bank_id text, embedding_model text, created_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select b.bank_id, b.embedding_model, b.created_at
      from memory.bank b
     where b.bank_id > after_bank collate "C"
     order by b.bank_id
     limit page;
$$;

-- Returns one page of banks ordered by name, without their settings, which may contain people's names. Called by the
-- command `banks`; HTTP does not expose it. Runs as the owner, because row security limits a transaction to one
-- bank.
create or replace function memory_api.list_banks(page integer, after_bank text default '')
returns table (bank_id text, embedding_model text, created_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select b.bank_id, b.embedding_model, b.created_at
      from memory.bank b
     where b.bank_id > after_bank collate "C"
     order by b.bank_id
     limit page;
$$;

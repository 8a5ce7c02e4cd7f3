-- The banks by name, after the given one, without their settings, which may name people. For an operator on this machine:
-- no HTTP call answers with it. Runs as the owner, because row security shows a bank only to whoever names it.
create or replace function memory_api.list_banks(page integer, after_bank text default '')
returns table (bank_id text, embedding_model text, created_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select b.bank_id, b.embedding_model, b.created_at
      from memory.bank b
     where b.bank_id > after_bank collate "C"
     order by b.bank_id
     limit page;
$$;

-- Returns one page of banks ordered by name, without their settings, which may contain people's names. `banks`: bank
-- ids, or prefixes that end in `*`, of which one must match. Called by GET /v1/banks and the command `banks`. Runs as
-- the owner, because row security limits a transaction to one bank.
create or replace function memory_api.list_banks(page integer, after_bank text default '', banks text[] default '{*}')
returns table (bank_id text, embedding_model text, created_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select b.bank_id, b.embedding_model, b.created_at
      from memory.bank b
     where b.bank_id > after_bank collate "C"
       and exists (select
                     from unnest(banks) as g (pattern)
                    where b.bank_id = g.pattern
                       or (right(g.pattern, 1) = '*' and starts_with(b.bank_id, left(g.pattern, -1))))
     order by b.bank_id
     limit page;
$$;

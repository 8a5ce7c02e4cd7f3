-- Returns the bank; the names of the people who speak in it, which recall removes from the query before embedding
-- it; and the distribution of its embedding model's cosines between unrelated texts (mean and spread, null: those of
-- the built-in model apply).
create or replace function memory_api.read_bank(bank text)
returns table (bank_id text, settings jsonb, embedding_model text, created_at timestamptz, people text[],
               unrelated_mean double precision, unrelated_spread double precision)
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select b.bank_id, b.settings, b.embedding_model, b.created_at,
               array(select p.name from memory.person p where p.bank_id = bank order by p.name),
               m.unrelated_mean, m.unrelated_spread
          from memory.bank b
          join memory.embedding_model m on m.name = b.embedding_model
         where b.bank_id = bank;
end $$;

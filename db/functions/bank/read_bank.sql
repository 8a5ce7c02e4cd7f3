-- The bank; the words by which those who speak in it are called, which recall takes out of what is embedded; and how its
-- embedding model's cosines lie, null where that is as the built-in model's.
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

-- The bank, and the words by which those who speak in it are called: recall takes them out of what is embedded.
create or replace function memory_api.read_bank(bank text)
returns table (bank_id text, settings jsonb, embedding_model text, created_at timestamptz, people text[])
language plpgsql as $$
begin
    perform memory_api.require_bank(bank);
    return query
        select b.bank_id, b.settings, b.embedding_model, b.created_at,
               array(select p.name from memory.person p where p.bank_id = bank order by p.name)
          from memory.bank b
         where b.bank_id = bank;
end $$;

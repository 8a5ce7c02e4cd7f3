-- What is to be embedded, and with which model.
create or replace function memory_api.read_pending_embedding(bank text, memories uuid[])
returns table (memory_id uuid, text text, model_id text)
language plpgsql as $$
begin
    perform memory_api.enter_bank(bank);
    return query
        select e.memory_id, e.summary, b.embedding_model
          from memory.episodic_memory e
          join memory.bank b on b.bank_id = e.bank_id
         where e.bank_id = bank and e.memory_id = any (memories) and e.status = 'pending_embedding';
end $$;

-- Returns the texts to embed and the model: of pending episodes, and of active ones without a vector. `reply` is the
-- extract of the assistant's reply, or null. Called by the worker.
create or replace function memory_api.read_pending_embedding(bank text, memories uuid[])
returns table (memory_id uuid, text text, reply text, model_id text)
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select e.memory_id, e.summary, e.reply, b.embedding_model
          from memory.episodic_memory e
          join memory.bank b on b.bank_id = e.bank_id
         where e.bank_id = bank and e.memory_id = any (memories)
           and (e.status = 'pending_embedding'
                or e.status = 'active' and not exists (
                    select from memory.memory_vector v
                     where v.bank_id = bank and v.model_id = b.embedding_model and v.memory_id = e.memory_id));
end $$;

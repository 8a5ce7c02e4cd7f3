-- Returns a fact's status and whether its processing is finished (`settled`): it is embedded, deprecated or merged.
-- Polled by callers that wait for a commit.
create or replace function memory_api.fact_state(bank text, memory uuid, out status text, out settled boolean)
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    select f.status,
           f.status in ('deprecated', 'merged_into')
           or exists (select from memory.memory_vector v
                       where v.bank_id = bank and v.memory_id = f.memory_id and v.model_id = b.embedding_model)
      into status, settled
      from memory.semantic_memory f
      join memory.bank b on b.bank_id = f.bank_id
     where f.bank_id = bank and f.memory_id = memory;
end $$;

-- Returns the state of a bank's re-embedding, or no row. `texts` have a vector of the bank's embedding model,
-- `other_texts` one of the other model. Called by reembed and the command `stats`.
create or replace function memory_api.read_reembedding(bank text)
returns table (embedding_model text, other_model text, status text, keep_days integer, verify_queries integer,
               verified jsonb, requested_at timestamptz, switched_at timestamptz, keep_until timestamptz, texts bigint,
               other_texts bigint)
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select b.embedding_model, r.other_model, r.status, r.keep_days, r.verify_queries, r.verified, r.requested_at,
               r.switched_at, r.keep_until, memory_internal.text_count(bank, b.embedding_model),
               memory_internal.text_count(bank, r.other_model)
          from memory.reembedding r
          join memory.bank b on b.bank_id = r.bank_id
         where r.bank_id = bank;
end $$;

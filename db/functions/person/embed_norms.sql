-- Writes vectors of norms (norms_to_embed); those of norms that were deleted or reworded meanwhile (`texts` differs)
-- are skipped. Called by the worker and the nightly pass. Takes the bank lock.
create or replace function memory_api.embed_norms(
    bank text, model text, norms uuid[], parts smallint[], texts text[], embeddings public.halfvec[])
returns integer
language plpgsql as $$
declare
    written integer;
begin
    perform memory_internal.lock_bank_of_model(bank, model);
    insert into memory.relational_vector (bank_id, norm_id, model_id, part, embedding)
    select bank, g.norm_id, model, g.part, g.embedding
      from unnest(norms, parts, texts, embeddings) as g (norm_id, part, text, embedding)
      join memory.relational_memory n on n.bank_id = bank and n.memory_id = g.norm_id
     where g.text = case g.part when 0 then n.norm else n.situation end
    on conflict on constraint relational_vector_pkey do update set embedding = excluded.embedding;
    get diagnostics written = row_count;
    return written;
end $$;

-- Records the comparison of both models before a switch: {queries, embedding_model, other_model, shared}, the figures
-- of a model being its recall@10. Returns whether the bank is still copied to `model`. Called by reembed.
create or replace function memory_api.record_verification(bank text, model text, result jsonb) returns boolean
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    update memory.reembedding r
       set verified = result
     where r.bank_id = bank and r.other_model = model and r.status = 'copying';
    return found;
end $$;

-- Makes the other model of a re-embedding the bank's embedding model, in this one statement; the former one is kept for
-- `keep_days`. Returns false, without effect, if the bank is not copied to `model`, a text has no vector of it, or its
-- HNSW index is being built. Called by reembed. Takes the bank lock, so that no text is added between the check and
-- the commit.
create or replace function memory_api.switch_reembedding(
    bank text, model text, actor text default 'operator', key text default null, at timestamptz default now())
returns boolean
language plpgsql as $$
declare
    former text;
begin
    perform memory_internal.require_bank(bank);
    select b.embedding_model into former from memory.bank b where b.bank_id = bank for no key update;
    if not exists (select from memory.reembedding r
                    where r.bank_id = bank and r.other_model = model and r.status = 'copying')
       or exists (select from memory_api.reembedding_texts(bank, 1))
       or exists (select from memory.vector_index x
                   where x.bank_id = bank and x.model_id = model and x.state = 'building') then
        return false;
    end if;
    update memory.bank b set embedding_model = model, updated_at = at where b.bank_id = bank;
    update memory.reembedding r
       set other_model = former, status = 'kept', switched_at = at,
           keep_until = at + make_interval(days => r.keep_days)
     where r.bank_id = bank;
    perform memory_internal.record_audit(
        'embedding_model_switched', actor, key, bank, '{}',
        jsonb_build_object('from', former, 'to', model), at);
    perform memory_internal.mark_bank_due(bank, 0, at);
    return true;
end $$;

-- Begins the re-embedding of a bank under another model, or changes the options of one that has begun. A bank that
-- keeps the vectors of its former model returns to that one by the same way: only texts written since need vectors.
-- Returns false, without effect, if `model` is the bank's embedding model. Raises ME062 while the bank has vectors of a
-- third model. Called by the command `reembed`. Takes the bank lock.
create or replace function memory_api.start_reembedding(
    bank text, model text, keep_days integer, verify_queries integer, actor text default 'operator',
    key text default null, at timestamptz default now())
returns boolean
language plpgsql as $$
declare
    present memory.reembedding;
begin
    perform memory_internal.lock_bank(bank);
    if exists (select from memory.bank b where b.bank_id = bank and b.embedding_model = model) then
        return false;
    end if;
    select r.* into present from memory.reembedding r where r.bank_id = bank;
    if present.other_model <> model then
        raise exception using errcode = 'ME062', message = present.other_model;
    end if;
    insert into memory.reembedding (bank_id, other_model, keep_days, verify_queries, requested_at)
    values (bank, model, start_reembedding.keep_days, start_reembedding.verify_queries, at)
    on conflict on constraint reembedding_pkey do update
       set status = 'copying', keep_days = excluded.keep_days, verify_queries = excluded.verify_queries, keep_until = null,
           verified = null;
    if present.status is distinct from 'copying' then
        perform memory_internal.record_audit(
            'reembedding_started', actor, key, bank, '{}', jsonb_build_object('embedding_model', model), at);
    end if;
    perform memory_internal.mark_bank_due(bank, 0, at);
    return true;
end $$;

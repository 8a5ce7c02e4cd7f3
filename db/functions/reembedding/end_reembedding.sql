-- Ends a re-embedding or the time for which the former model is kept: the vectors of the model that the bank does not
-- use are to be deleted (drop_kept_vectors). Returns whether there are any. Takes the bank lock.
create or replace function memory_api.end_reembedding(bank text, at timestamptz default now())
returns boolean
language plpgsql as $$
begin
    perform memory_internal.lock_bank(bank);
    update memory.reembedding r set status = 'kept', keep_until = least(r.keep_until, at) where r.bank_id = bank;
    if not found then
        return false;
    end if;
    perform memory_internal.mark_bank_due(bank, 0, at);
    return true;
end $$;

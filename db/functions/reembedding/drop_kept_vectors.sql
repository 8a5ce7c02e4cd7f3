-- Deletes up to `page` memories' vectors of the former model of a re-embedding whose time has ended at `at`, and the
-- row of the re-embedding after the last; returns how many rows were deleted, 0 when nothing is left. Called by the
-- nightly pass jobs/reembed.py. Each call is a transaction that takes the bank lock.
create or replace function memory_api.drop_kept_vectors(bank text, page integer, at timestamptz default now())
returns integer
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    model text;
    used_model text;
    deleted integer;
    total integer := 0;
begin
    perform memory_internal.lock_bank(bank);
    select r.other_model, b.embedding_model into model, used_model
      from memory.reembedding r
      join memory.bank b on b.bank_id = r.bank_id
     where r.bank_id = bank and r.status = 'kept' and r.keep_until <= at;
    if not found then
        return 0;
    end if;
    if model = used_model then  -- an import into the bank, while it was empty, set its model
        delete from memory.reembedding r where r.bank_id = bank;
        return 0;
    end if;
    update memory.vector_index x set state = 'removing'
     where x.bank_id = bank and x.model_id = model and x.state <> 'removing';
    if exists (select from memory.vector_index x where x.bank_id = bank and x.model_id = model) then
        return greatest(1, memory_api.extend_vector_index(bank, model, page, 0, at));
    end if;
    delete from memory.memory_vector v
     where v.bank_id = bank and v.model_id = model
       and v.memory_id = any (array(
            select o.memory_id from memory.memory_vector o
             where o.bank_id = bank and o.model_id = model
             order by o.memory_id
             limit page));
    get diagnostics total = row_count;
    if total = 0 then
        delete from memory.lesson_vector v where v.bank_id = bank and v.model_id = model;
        get diagnostics deleted = row_count;
        total := total + deleted;
        delete from memory.relational_vector v where v.bank_id = bank and v.model_id = model;
        get diagnostics deleted = row_count;
        total := total + deleted;
        delete from memory.procedural_vector v where v.bank_id = bank and v.model_id = model;
        get diagnostics deleted = row_count;
        total := total + deleted;
        delete from memory.reembedding r where r.bank_id = bank;
    end if;
    return total;
end $$;

-- Performs one step of moving a bank's vectors into the HNSW index or out of it; returns the number of memories
-- copied or rows deleted, 0 when finished. Called repeatedly by the nightly pass jobs/vector_index.py; each call is
-- a transaction that takes the bank lock and moves at most `page` memories (an insert takes 3 to 5 ms), so that
-- writers wait briefly.
--   more than `enter_above` vectors: copied in the order of memory ids; `ready`, and used by recalls, after the last
--   fewer than half of it: `removing`, no longer used by recalls; rows deleted page by page, then the bank's row
-- Where pgvector does not maintain HNSW indexes correctly no bank enters, and those in the index leave it.
-- A dry run changes nothing and returns the number of vectors to move. Copying can stop at any time and continues
-- after `copied_through`; vectors written meanwhile are copied by their writer (index_vectors).
create or replace function memory_api.extend_vector_index(
    bank text, model text, page integer, enter_above integer, at timestamptz default now(),
    dry_run boolean default false)
returns integer
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    index_row memory.vector_index;
    usable boolean := memory_internal.hnsw_usable();
    vectors bigint;  -- of the bank, counted up to enter_above + 1
    copied uuid[];
    deleted_count integer;
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    select x.* into index_row from memory.vector_index x where x.bank_id = bank and x.model_id = model;
    if index_row.state is null or index_row.state = 'ready' then
        select count(*) into vectors
          from (select from memory.memory_vector v where v.bank_id = bank and v.model_id = model
                 limit enter_above + 1) as v;
    end if;
    if index_row.state is null and (vectors <= enter_above or not usable)
       or index_row.state = 'ready' and vectors >= enter_above / 2 and usable then
        return 0;
    end if;
    if dry_run then
        return (select count(*)
                  from memory.memory_vector v
                 where v.bank_id = bank and v.model_id = model
                   and (index_row.state is distinct from 'building' or index_row.copied_through is null
                        or v.memory_id > index_row.copied_through));
    end if;
    if index_row.state is null then
        insert into memory.vector_index (bank_id, model_id, started_at) values (bank, model, at) returning * into index_row;
    elsif index_row.state = 'ready' or not usable and index_row.state = 'building' then
        -- Rows are deleted in later transactions: a recall that has just read `ready` still scans them.
        update memory.vector_index x set state = 'removing' where x.bank_id = bank and x.model_id = model;
        return 1;
    end if;

    if index_row.state = 'building' then
        copied := array(
            select distinct v.memory_id
              from (select v.memory_id
                      from memory.memory_vector v
                     where v.bank_id = bank and v.model_id = model
                       and v.memory_id > coalesce(index_row.copied_through, '00000000-0000-0000-0000-000000000000')
                     order by v.memory_id
                     limit page) as v
             order by v.memory_id);
        perform memory_internal.index_vectors(bank, copied);
        update memory.vector_index x
           set copied_through = coalesce(copied[cardinality(copied)], x.copied_through),
               state = case when copied = '{}' then 'ready' else 'building' end,
               ready_at = case when copied = '{}' then extend_vector_index.at end
         where x.bank_id = bank and x.model_id = model;
        return cardinality(copied);
    end if;

    with deleted as (
        delete from memory.indexed_vector v
         where v.bank_id = bank and v.model_id = model
           and v.memory_id = any (array(
                select o.memory_id from memory.indexed_vector o
                 where o.bank_id = bank and o.model_id = model
                 limit page * 10))
        returning v.memory_id
    )
    select count(*) into deleted_count from deleted;
    if deleted_count = 0 then
        delete from memory.vector_index x where x.bank_id = bank and x.model_id = model;
    end if;
    return deleted_count;
end $$;

-- One step of bringing a bank's vectors into the HNSW index or out of it; returns the number of memories copied or rows
-- deleted, 0 when the bank is where it belongs. Called by the nightly pass jobs/vector_index.py until it returns 0; each
-- call is a transaction, takes the bank's lock and moves at most `page` memories (an insert takes 3 to 5 ms), so that writers wait briefly.
--   more than `enter_above` vectors: copied in the order of memory ids; `ready` after the last, and used by recalls then
--   fewer than half of it: `removing`, no longer used by recalls; rows deleted page by page, then the bank's row
-- A dry run changes nothing and returns the number of vectors that would be moved.
-- Copying can stop anywhere and goes on after `copied_through`; what is written meanwhile is copied by its writer.
create or replace function memory_api.extend_vector_index(
    bank text, model text, page integer, enter_above integer, at timestamptz default now(),
    dry_run boolean default false)
returns integer
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    held memory.vector_index;
    vectors bigint;  -- of the bank, counted up to one more than `enter_above`
    copied uuid[];
    moved integer;
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    select x.* into held from memory.vector_index x where x.bank_id = bank and x.model_id = model;
    if held.state is null or held.state = 'ready' then
        select count(*) into vectors
          from (select from memory.memory_vector v where v.bank_id = bank and v.model_id = model
                 limit enter_above + 1) as v;
    end if;
    if held.state is null and vectors <= enter_above or held.state = 'ready' and vectors >= enter_above / 2 then
        return 0;
    end if;
    if dry_run then
        return (select count(*)
                  from memory.memory_vector v
                 where v.bank_id = bank and v.model_id = model
                   and (held.state is distinct from 'building' or held.copied_through is null
                        or v.memory_id > held.copied_through));
    end if;
    if held.state is null then
        insert into memory.vector_index (bank_id, model_id, started_at) values (bank, model, at) returning * into held;
    elsif held.state = 'ready' then
        -- Rows go in later transactions: a recall that has just found the bank ready still reads them.
        update memory.vector_index x set state = 'removing' where x.bank_id = bank and x.model_id = model;
        return 1;
    end if;

    if held.state = 'building' then
        copied := array(
            select distinct v.memory_id
              from (select v.memory_id
                      from memory.memory_vector v
                     where v.bank_id = bank and v.model_id = model
                       and v.memory_id > coalesce(held.copied_through, '00000000-0000-0000-0000-000000000000')
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

    with gone as (
        delete from memory.indexed_vector v
         where v.bank_id = bank and v.model_id = model
           and v.memory_id = any (array(
                select o.memory_id from memory.indexed_vector o
                 where o.bank_id = bank and o.model_id = model
                 limit page * 10))
        returning v.memory_id
    )
    select count(*) into moved from gone;
    if moved = 0 then
        delete from memory.vector_index x where x.bank_id = bank and x.model_id = model;
    end if;
    return moved;
end $$;

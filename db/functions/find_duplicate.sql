-- The active episode that a new one says again: the nearest at or above the model's duplicate threshold whose text
-- shows no mismatch; null where there is none. Searched exactly. The caller holds the bank's lock.
create or replace function memory_api.find_duplicate(bank text, model text, memory uuid, embedding public.halfvec)
returns uuid
language plpgsql as $$
declare
    known uuid;
begin
    perform memory_api.enter_bank(bank);
    with near as (
        select v.memory_id, min(v.embedding operator(public.<=>) find_duplicate.embedding) as distance
          from memory.memory_vector v
         where v.bank_id = bank and v.model_id = model and v.memory_id <> memory
         group by v.memory_id
    )
    select n.memory_id into known
      from near n
      join memory.embedding_model t on t.name = model
      join memory.episodic_memory k on k.bank_id = bank and k.memory_id = n.memory_id and k.status = 'active'
      join memory.episodic_memory fresh on fresh.bank_id = bank and fresh.memory_id = find_duplicate.memory
     where 1 - n.distance >= t.duplicate_threshold
       and memory_api.mismatch(k.summary, fresh.summary) is null
     order by n.distance, n.memory_id
     limit 1;
    return known;
end $$;

-- Whether an episode without a vector had one before: a duplicate that an erasure released. Its text can be embedded,
-- so that its norms and style count as before, unlike those of an episode whose embedding may fail.
create or replace function memory_internal.was_embedded(bank text, episode uuid) returns boolean
language sql stable as $$
    select exists (
        select from memory.memory_event v
         where v.bank_id = bank and v.memory_id = episode and v.from_status = 'merged_into'
           and v.to_status = 'pending_embedding');
$$;

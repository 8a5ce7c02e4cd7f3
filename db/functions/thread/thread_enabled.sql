-- Returns whether the bank has an emotional thread (setting `emotional_thread`, on by default).
create or replace function memory_internal.thread_enabled(bank text) returns boolean
language sql stable as $$
    select coalesce((b.settings ->> 'emotional_thread')::boolean, true) from memory.bank b where b.bank_id = bank
$$;

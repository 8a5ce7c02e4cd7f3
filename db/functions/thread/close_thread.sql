-- Ends the thread that is open at `at`, by a person (`act` 'ended') or because the setting was switched off
-- ('switched_off'). Returns its id, or null if none was open. Episodes that occurred later begin another thread. The
-- caller holds the bank lock.
create or replace function memory_internal.close_thread(bank text, act text, actor text, at timestamptz) returns uuid
language plpgsql as $$
declare
    closed uuid;
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.emotional_thread_act (bank_id, at, act, thread_id, valence, emotion, actor)
    select bank, close_thread.at, close_thread.act, t.thread_id, h.valence, t.emotion, close_thread.actor
      from memory_internal.open_thread(bank, close_thread.at) as t
      join memory.emotional_thread h on h.bank_id = bank and h.thread_id = t.thread_id
    on conflict on constraint emotional_thread_act_pkey do nothing
    returning thread_id into closed;
    if closed is not null then
        perform memory_internal.rebuild_threads(
            bank, close_thread.at, 'ffffffff-ffff-ffff-ffff-ffffffffffff', close_thread.at,
            'ffffffff-ffff-ffff-ffff-ffffffffffff');
    end if;
    return closed;
end $$;

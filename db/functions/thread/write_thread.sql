-- Writes the row of a thread from the state after its last episode; an end of null leaves it open. Called by
-- rebuild_threads.
create or replace function memory_internal.write_thread(
    bank text, last memory.emotional_thread_episode, ended_at timestamptz, end_reason text, actor text)
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.emotional_thread as t
        (bank_id, thread_id, current_state, emotion, topic, valence, half_life_days, thread_length, started_at,
         last_update, ended_at, end_reason, ended_by)
    values (bank, (last).thread_id,
            memory_internal.thread_phrase((last).state_emotion, (last).state_topic, (last).thread_valence),
            (last).state_emotion, (last).state_topic, (last).thread_valence, (last).half_life_days, (last).position,
            (select x.occurred_at from memory.emotional_thread_episode x
              where x.bank_id = bank and x.thread_id = (last).thread_id and x.position = 1),
            (last).occurred_at, write_thread.ended_at, write_thread.end_reason,
            case when write_thread.end_reason in ('ended', 'switched_off') then actor end)
    on conflict on constraint emotional_thread_pkey do update
       set current_state = excluded.current_state, emotion = excluded.emotion, topic = excluded.topic,
           valence = excluded.valence, half_life_days = excluded.half_life_days, thread_length = excluded.thread_length,
           started_at = excluded.started_at, last_update = excluded.last_update, ended_at = excluded.ended_at,
           end_reason = excluded.end_reason, ended_by = excluded.ended_by
     where t is distinct from excluded;
end $$;

-- Returns the thread that is open at `at`, as it was then, or no row; none where the setting is off.
create or replace function memory_internal.open_thread(bank text, at timestamptz)
returns table (thread_id uuid, current_state text, emotion text, topic text, valence double precision,
               recognized_from uuid[], should_acknowledge boolean, acknowledged_at timestamptz, thread_length integer,
               started_at timestamptz, last_update timestamptz, ended_at timestamptz, end_reason text, ended_by text)
language sql stable rows 1 as $$
    select t.*
      from (select x.thread_id
              from memory.emotional_thread_episode x
             where x.bank_id = bank and x.occurred_at <= open_thread.at and x.thread_id is not null
             order by x.occurred_at desc, x.episode_id desc
             limit 1) as latest
     cross join lateral memory_internal.thread_as_of(bank, latest.thread_id, open_thread.at) as t
     where t.ended_at is null and memory_internal.thread_enabled(bank)
$$;

-- Returns the emotional thread that is open at `at`, as it was then, or no row. Raises ME001.
create or replace function memory_api.read_thread(bank text, at timestamptz default now())
returns table (thread_id uuid, current_state text, emotion text, topic text, valence double precision,
               recognized_from uuid[], should_acknowledge boolean, acknowledged_at timestamptz, thread_length integer,
               started_at timestamptz, last_update timestamptz, ended_at timestamptz, end_reason text, ended_by text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
    perform memory_internal.require_bank(bank);
    return query select t.* from memory_internal.open_thread(bank, read_thread.at) as t;
end $$;

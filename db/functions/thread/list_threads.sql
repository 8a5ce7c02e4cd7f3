-- Returns one page of a bank's threads, open and ended, as they are at `at`, the one that began last first; none where
-- the setting is off. Raises ME001.
create or replace function memory_api.list_threads(
    bank text, page integer, after_at timestamptz default null, after_id uuid default null,
    at timestamptz default now())
returns table (thread_id uuid, current_state text, emotion text, topic text, valence double precision,
               recognized_from uuid[], should_acknowledge boolean, acknowledged_at timestamptz, thread_length integer,
               started_at timestamptz, last_update timestamptz, ended_at timestamptz, end_reason text, ended_by text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
    perform memory_internal.require_bank(bank);
    if not memory_internal.thread_enabled(bank) then
        return;
    end if;
    return query
        select t.*
          from (select h.thread_id, h.started_at
                  from memory.emotional_thread h
                 where h.bank_id = bank and h.started_at <= list_threads.at
                   and (after_at is null or (h.started_at, h.thread_id) < (after_at, after_id))
                 order by h.started_at desc, h.thread_id desc
                 limit page) as listed
         cross join lateral memory_internal.thread_as_of(bank, listed.thread_id, list_threads.at) as t
         order by listed.started_at desc, listed.thread_id desc;
end $$;

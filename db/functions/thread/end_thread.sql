-- Ends the open thread by a person and returns it as it is then, or no row if none is open. Raises ME001. Takes the
-- bank lock.
create or replace function memory_api.end_thread(
    bank text, actor text, at timestamptz default now(), key text default null)
returns table (thread_id uuid, current_state text, emotion text, topic text, valence double precision,
               recognized_from uuid[], should_acknowledge boolean, acknowledged_at timestamptz, thread_length integer,
               started_at timestamptz, last_update timestamptz, ended_at timestamptz, end_reason text, ended_by text)
language plpgsql as $$
declare
    closed uuid;
begin
    perform memory_internal.lock_bank(bank);
    closed := memory_internal.close_thread(bank, 'ended', end_thread.actor, end_thread.at);
    if closed is null then
        return;
    end if;
    perform memory_internal.record_audit(
        'thread_ended', end_thread.actor, key, bank, array[closed::text], '{}', end_thread.at);
    return query select t.* from memory_internal.thread_as_of(bank, closed, end_thread.at) as t;
end $$;

-- Records that contexts printed the thread with the request to acknowledge it, for the traces in `fresh` with
-- `acknowledged_thread`; once, if several contexts did before the first was recorded. Called by record_traces, after
-- the responses.
create or replace function memory_internal.record_acknowledgements(bank text, fresh uuid[], traces jsonb) returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.emotional_thread_act (bank_id, at, act, thread_id, valence, emotion, actor)
    select bank, shown.at, 'acknowledged', t.thread_id, x.thread_valence, t.emotion, 'context'
      from (select min((s ->> 'at')::timestamptz) as at, (s ->> 'acknowledged_thread')::uuid as thread_id
              from jsonb_array_elements(traces) as s
             where s ? 'acknowledged_thread' and (s ->> 'trace_id')::uuid = any (fresh)
             group by 2) as shown
     cross join lateral memory_internal.thread_as_of(bank, shown.thread_id, shown.at) as t
      join memory.emotional_thread_episode x
        on x.bank_id = bank and x.thread_id = t.thread_id and x.position = t.thread_length
     where t.should_acknowledge
    on conflict on constraint emotional_thread_act_pkey do nothing;
end $$;

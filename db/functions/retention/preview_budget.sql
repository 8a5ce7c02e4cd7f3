-- Returns what the budget pass would do to a bank now, by running it in a subtransaction that is rolled back: the
-- storage strategies, the caps, then expiry. `acts` are {memory_id, type, act, reason}.
create or replace function memory_api.preview_budget(
    bank text, message_days double precision, trace_days double precision, trace_query_days double precision,
    at timestamptz default now(), default_intake text default null,
    out acts jsonb, out messages integer, out traces integer)
language plpgsql as $$
declare
    cap_acts jsonb;
begin
    perform memory_internal.enter_bank(bank);
    acts := '[]';
    begin
        select coalesce(jsonb_agg(jsonb_build_object(
                   'memory_id', p.memory_id, 'type', p.memory_type, 'act', p.act, 'reason', p.reason)), '[]')
          into acts
          from memory_api.prune_episodes(bank, null, 'preview', at) as p;
        select coalesce(jsonb_agg(jsonb_build_object(
                   'memory_id', k.memory_id, 'type', k.memory_type, 'act', k.act, 'reason', k.reason)), '[]')
          into cap_acts
          from memory_api.enforce_caps(
                   bank, null, 'preview', at => preview_budget.at,
                   default_intake => preview_budget.default_intake) as k;
        acts := acts || cap_acts;
        messages := memory_api.expire_messages(bank, message_days, null, at);
        traces := memory_api.expire_traces(bank, trace_days, trace_query_days, 1000000, at);
        raise exception using errcode = 'ME010';
    exception
        when sqlstate 'ME010' then null;  -- rolls back the tables; variables keep their values
    end;
end $$;

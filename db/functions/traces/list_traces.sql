-- Returns one page of traces, newest first, without their candidates. A trace id begins with its time, so that the
-- primary key gives the order.
create or replace function memory_api.list_traces(bank text, page integer, after_id uuid default null)
returns table (trace_id uuid, kind text, at timestamptz, query text, profile text, mode text, returned integer,
               degraded boolean)
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select t.trace_id, t.kind, t.at, t.query, t.profile, t.mode, t.returned, t.degraded
          from memory.retrieval_trace t
         where t.bank_id = bank and (after_id is null or t.trace_id < after_id)
         order by t.trace_id desc
         limit page;
end $$;

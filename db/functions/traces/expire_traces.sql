-- Empties the query of traces older than the bank's trace_query_days and deletes traces older than its trace_days
-- (defaults: the arguments). At most `page` rows per call; locked rows are skipped, so that it can be repeated,
-- interrupted and run concurrently. Returns the number of rows changed, 0 when none is left. Called by workers every
-- hour and by the command `expire`.
create or replace function memory_api.expire_traces(
    bank text, days double precision, query_days double precision, page integer default 1000,
    at timestamptz default now())
returns integer
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    bank_settings constant jsonb := memory_internal.bank_settings(bank);
    kept_since constant timestamptz :=
        at - make_interval(secs => 86400 * coalesce((bank_settings ->> 'trace_days')::double precision, days));
    query_kept_since constant timestamptz := at - make_interval(
        secs => 86400 * coalesce((bank_settings ->> 'trace_query_days')::double precision, query_days));
    deleted integer;
    emptied integer;
begin
    perform memory_internal.require_bank(bank);
    with old as materialized (
        select t.trace_id
          from memory.retrieval_trace t
         where t.bank_id = bank and t.at < kept_since
         order by t.at
         limit page
           for update skip locked
    )
    delete from memory.retrieval_trace t using old where t.bank_id = bank and t.trace_id = old.trace_id;
    get diagnostics deleted = row_count;
    with old as materialized (
        select t.trace_id
          from memory.retrieval_trace t
         where t.bank_id = bank and t.query is not null and t.at < query_kept_since
         order by t.at
         limit page - deleted
           for update skip locked
    )
    update memory.retrieval_trace t set query = null, parameters = '{}'
      from old
     where t.bank_id = bank and t.trace_id = old.trace_id;
    get diagnostics emptied = row_count;
    return deleted + emptied;
end $$;

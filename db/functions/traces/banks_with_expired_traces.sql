-- Returns the banks in which expire_traces has something to do; callers process them one by one, because a
-- transaction may enter one bank only. Two index probes per bank. Runs as the owner.
create or replace function memory_api.banks_with_expired_traces(
    days double precision, query_days double precision, at timestamptz default now())
returns table (bank_id text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select b.bank_id
      from memory.bank b
     cross join lateral (
        select at - make_interval(secs => 86400 * coalesce((b.settings ->> 'trace_days')::double precision, days))
                   as kept_since,
               at - make_interval(secs => 86400 * coalesce((b.settings ->> 'trace_query_days')::double precision,
                                                           query_days)) as query_kept_since) as s
     where exists (select from memory.retrieval_trace t where t.bank_id = b.bank_id and t.at < s.kept_since)
        or exists (select from memory.retrieval_trace t
                    where t.bank_id = b.bank_id and t.query is not null and t.at < s.query_kept_since)
     order by b.bank_id;
$$;

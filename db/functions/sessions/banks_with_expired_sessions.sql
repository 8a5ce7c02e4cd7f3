-- Returns the banks in which expire_sessions or sweep_sessions has something to do; callers process them one by one,
-- because a transaction may enter one bank only. Two index probes per bank. Runs as the owner.
create or replace function memory_api.banks_with_expired_sessions(
    days double precision default null, at timestamptz default now())
returns table (bank_id text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select b.bank_id
      from memory.bank b
     where exists (select from memory.session_memory s
                    where s.bank_id = b.bank_id
                      and s.updated_at < at - make_interval(
                          secs => 86400 * coalesce((b.settings ->> 'session_days')::double precision, days)))
        or exists (select from memory.session_memory s where s.bank_id = b.bank_id and s.unused_parts)
     order by b.bank_id;
$$;

-- The dead letters of one bank, with their reasons.
create or replace function memory_api.dead_work(bank text)
returns table (kind text, subject text, attempts integer, reason text, dead_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select w.kind, w.subject, w.attempts, w.last_error, w.dead_at
      from memory.work w
     where w.bank_id = bank and w.dead_at is not null
     order by w.dead_at, w.kind, w.subject;
$$;

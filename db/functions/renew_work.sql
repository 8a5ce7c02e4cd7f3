-- Extends the leases that are still ours; the answer tells which.
create or replace function memory_api.renew_work(
    tokens uuid[], banks text[], kind text, subjects text[], lease interval, at timestamptz default now())
returns setof uuid
language sql security definer set search_path = pg_catalog, pg_temp as $$
    update memory.work w
       set not_before = at + lease
      from unnest(tokens, banks, subjects) as mine (token, bank_id, subject)
     where w.bank_id = mine.bank_id and w.kind = renew_work.kind and w.subject = mine.subject
       and w.lease_token = mine.token
    returning w.lease_token;
$$;

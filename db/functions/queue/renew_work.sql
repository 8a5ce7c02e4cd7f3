-- Extends the leases whose token still matches and returns these tokens. Locks rows in the order of lock_leases.
-- Runs as the owner.
create or replace function memory_api.renew_work(
    tokens uuid[], banks text[], kind text, subjects text[], lease interval, at timestamptz default now())
returns setof uuid
language sql security definer set search_path = pg_catalog, pg_temp as $$
    with locked as materialized (
        select w.bank_id, w.subject
          from memory.work w
          join unnest(tokens, banks, subjects) as held_lease (token, bank_id, subject)
            on w.bank_id = held_lease.bank_id and w.subject = held_lease.subject and w.lease_token = held_lease.token
         where w.kind = renew_work.kind and w.bank_id = any (banks) and w.subject = any (subjects)
         order by w.bank_id, w.subject
           for update of w
    )
    update memory.work w
       set not_before = at + lease
      from locked
     where w.kind = renew_work.kind and w.bank_id = any (banks) and w.subject = any (subjects)
       and w.bank_id = locked.bank_id and w.subject = locked.subject
    returning w.lease_token;
$$;

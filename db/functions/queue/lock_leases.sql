-- Locks the rows of leases until the end of the transaction, in the order of their subjects (promise 8), and tells
-- which are still ours: what follows in the same transaction is then written by nobody else.
create or replace function memory_internal.lock_leases(bank text, kind text, subjects text[], tokens uuid[])
returns setof text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query
        select w.subject
          from memory.work w
          join unnest(subjects, tokens) as mine (subject, token)
            on w.subject = mine.subject and w.lease_token = mine.token
         where w.bank_id = bank and w.kind = lock_leases.kind and w.subject = any (subjects)
         order by w.subject
           for update of w;
end $$;

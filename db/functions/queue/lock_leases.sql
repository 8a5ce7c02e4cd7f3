-- Locks the work rows of these leases until the end of the transaction, in the order of their subjects, and returns
-- the subjects whose lease token still matches. Writes that follow in the same transaction are thereby fenced: no
-- other worker can hold the same lease.
create or replace function memory_internal.lock_leases(bank text, kind text, subjects text[], tokens uuid[])
returns setof text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query
        select w.subject
          from memory.work w
          join unnest(subjects, tokens) as lease (subject, token)
            on w.subject = lease.subject and w.lease_token = lease.token
         where w.bank_id = bank and w.kind = lock_leases.kind and w.subject = any (subjects)
         order by w.subject
           for update of w;
end $$;

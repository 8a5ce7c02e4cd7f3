-- complete_work for several subjects: deletes the rows whose lease token and claimed generation still match. A row
-- that was enqueued again meanwhile (higher generation) stays and is ready at once.
create or replace function memory_internal.complete_leases(
    bank text, kind text, subjects text[], tokens uuid[], at timestamptz default now())
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    delete from memory.work w
     using unnest(subjects, tokens) as lease (subject, token)
     where w.bank_id = bank and w.kind = complete_leases.kind and w.subject = any (subjects)
       and w.subject = lease.subject
       and w.lease_token = lease.token and w.generation = w.claimed_generation;
    update memory.work w
       set lease_token = null, claimed_generation = null, attempts = 0, alone = false, last_error = null, enqueued_at = at,
           not_before = at
      from unnest(subjects, tokens) as lease (subject, token)
     where w.bank_id = bank and w.kind = complete_leases.kind and w.subject = any (subjects)
       and w.subject = lease.subject
       and w.lease_token = lease.token;
end $$;

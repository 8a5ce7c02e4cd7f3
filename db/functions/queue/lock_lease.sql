-- lock_leases for one subject: true if the lease is still valid.
create or replace function memory_internal.lock_lease(bank text, kind text, subject text, token uuid) returns boolean
language sql as $$
    select exists (select from memory_internal.lock_leases(bank, lock_lease.kind, array[lock_lease.subject], array[token]));
$$;

-- Deletes the work of these kinds and subjects, leases and dead letters included: a worker that holds such a lease
-- writes nothing more. Called when the subjects' content changes. Runs as the owner.
create or replace function memory_internal.remove_work(bank text, kinds text[], subjects text[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    delete from memory.work w
     where w.bank_id = bank and w.kind = any (kinds) and w.subject = any (subjects);
$$;

-- Locks the row of a lease until the end of the transaction and tells whether it is still ours: what follows in
-- the same transaction is then written by nobody else.
create or replace function memory_api.hold_work(bank text, kind text, subject text, token uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform from memory.work w
      where w.bank_id = bank and w.kind = hold_work.kind and w.subject = hold_work.subject
        and w.lease_token = token
        for update;
    return found;
end $$;

-- hold_leases for one.
create or replace function memory_api.hold_work(bank text, kind text, subject text, token uuid) returns boolean
language sql as $$
    select exists (select from memory_api.hold_leases(bank, hold_work.kind, array[hold_work.subject], array[token]));
$$;

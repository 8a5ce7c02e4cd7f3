-- The advisory lock of a bank that writers of messages share, and the erasure of the bank takes exclusively:
-- memory.message has no foreign key to the bank, and a message that is being written would outlive it. Writers of
-- traces share that of 'traces of BANK', which no bank is named, and every erasure takes it exclusively.
create or replace function memory_internal.erasure_lock_key(bank text) returns bigint
language sql immutable strict parallel safe as $$
    select hashtextextended('erasure ' || bank, 0);
$$;

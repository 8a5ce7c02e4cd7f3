-- The slot of a bank, 0 to 1023: the same as memory_service.store.servers.slot_of.
create or replace function memory_internal.server_slot_of(bank text) returns integer
language sql immutable as $$
    select (get_byte(h.digest, 0) << 8 | get_byte(h.digest, 1)) & 1023
      from (select sha256(convert_to(bank, 'UTF8')) as digest) as h;
$$;

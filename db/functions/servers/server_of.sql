-- The server that has a bank, or that a bank of this name is created on. Runs as the owner.
create or replace function memory_internal.server_of(bank text) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select coalesce(
        (select p.server_id from memory.bank_place p where p.bank = server_of.bank),
        (select s.server_id from memory.server_slot s where s.slot = memory_internal.server_slot_of(server_of.bank)),
        'home');
$$;

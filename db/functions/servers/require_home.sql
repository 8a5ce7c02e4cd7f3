-- Raises ME080 where a bank of this name is on another server. Called where a bank is missing here, or is created:
-- the caller's map is older than the tables.
create or replace function memory_internal.require_home(bank text) returns void
language plpgsql as $$
begin
    if memory_internal.server_of(bank) <> 'home' then
        raise exception using errcode = 'ME080', message = format('bank %L is on another server', bank);
    end if;
end $$;

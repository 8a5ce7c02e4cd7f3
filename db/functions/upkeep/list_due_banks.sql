-- Returns one page of the banks that are due at `at`, ordered by id. Used by dry runs. Runs as the owner.
create or replace function memory_api.list_due_banks(page integer, after_bank text default '', at timestamptz default now())
returns table (bank_id text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select u.bank_id
      from memory.upkeep u
     where u.due_at <= at and u.bank_id > after_bank collate "C"
     order by u.bank_id
     limit page;
$$;

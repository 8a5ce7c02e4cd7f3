-- Merges a patch into the settings at the top level; a null removes the key, so its default holds again.
create or replace function memory_api.update_bank(bank text, patch jsonb, at timestamptz default now())
returns setof memory.bank
language plpgsql as $$
begin
    perform memory_api.require_bank(bank);
    return query
        update memory.bank b
           set settings = jsonb_strip_nulls(b.settings || patch), updated_at = at
         where b.bank_id = bank
        returning b.*;
end $$;

-- Whether the ledger of a bank, or of the bank `exported_bank`, lists an id as erased. Runs as the owner, as its
-- caller erase_again does.
create or replace function memory_internal.is_erased(bank text, exported_bank text, kind text, id text) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
    hash constant bytea := memory_internal.erased_id_hash(kind, id);
begin
    perform memory_internal.enter_bank(bank);
    return exists (select from memory.erased_item i
                    where i.bank_id = bank and i.kind = is_erased.kind and i.id_hash = hash)
        or exists (select from memory.erased_item i
                    where exported_bank = i.bank_id and i.kind = is_erased.kind and i.id_hash = hash);
end $$;

-- Creates the bank of an import, or takes an existing one that is empty, with the settings and times of the export.
-- The rows follow in the same transaction (import_rows, finish_import). `tables` are those that must have no row of
-- the bank: raises ME070 with the name of one that has. Raises ME071 if this bank, or the bank `exported_bank` that
-- was exported at `exported_at`, was erased later: an import does not bring back erased memories.
-- ME080: as create_bank.
-- Takes the bank's erasure_lock_key, for which writers of messages wait, then the bank lock.
create or replace function memory_api.begin_import(
    bank text, exported_bank text, exported_at timestamptz, settings jsonb, embedding_model text,
    created_at timestamptz, updated_at timestamptz, tables text[])
returns void
language plpgsql as $$
declare
    one text;
    filled boolean;
    erased_at timestamptz;
begin
    perform memory_internal.enter_bank(bank);
    if memory_api.lock_place(bank) <> 'home' then
        raise exception using errcode = 'ME080', message = format('bank %L is on another server', bank);
    end if;
    set local statement_timeout = 0;
    perform pg_advisory_xact_lock(memory_internal.erasure_lock_key(bank));
    erased_at := memory_internal.bank_erased_at(bank, exported_bank);
    if erased_at > exported_at then
        raise exception using errcode = 'ME071', message = erased_at::text;
    end if;
    insert into memory.bank (bank_id, settings, embedding_model, created_at, updated_at)
    values (bank, begin_import.settings, begin_import.embedding_model, begin_import.created_at, begin_import.updated_at)
    on conflict on constraint bank_pkey do nothing;
    if not found then
        perform from memory.bank b where b.bank_id = bank for update;
        foreach one in array tables loop
            execute format('select exists (select from memory.%I t where t.bank_id = $1)', one) into filled using bank;
            if filled then
                raise exception using errcode = 'ME070', message = one;
            end if;
        end loop;
        update memory.bank b
           set settings = begin_import.settings, embedding_model = begin_import.embedding_model,
               created_at = begin_import.created_at, updated_at = begin_import.updated_at
         where b.bank_id = bank;
    end if;
end $$;

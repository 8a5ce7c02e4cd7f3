-- Inserts the bank, or returns the existing one unchanged: the settings of an existing bank are never overwritten.
-- ME080: this is the home server, and a bank of this name belongs to another one (lock_place).
create or replace function memory_api.create_bank(
    bank text, settings jsonb, embedding_model text, actor text default 'operator', key text default null,
    out created boolean, out bank_row memory.bank)
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    if memory_api.lock_place(bank) <> 'home' then
        raise exception using errcode = 'ME080', message = format('bank %L is on another server', bank);
    end if;
    insert into memory.bank (bank_id, settings, embedding_model)
    values (bank, create_bank.settings, create_bank.embedding_model)
    on conflict on constraint bank_pkey do nothing
    returning * into bank_row;
    created := bank_row.bank_id is not null;
    if created then
        perform memory_internal.mark_bank_due(bank, 0, now());
        perform memory_internal.record_audit(
            'bank_created', actor, key, bank, '{}',
            jsonb_build_object('settings', array(select jsonb_object_keys(create_bank.settings) order by 1)), now());
    else
        select * into bank_row from memory.bank b where b.bank_id = bank;
    end if;
end $$;

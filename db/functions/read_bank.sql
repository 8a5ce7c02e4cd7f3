create or replace function memory_api.read_bank(bank text) returns setof memory.bank
language plpgsql as $$
begin
    perform memory_api.require_bank(bank);
    return query select * from memory.bank b where b.bank_id = bank;
end $$;

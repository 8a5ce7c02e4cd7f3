-- Sets memory.bank_id for the transaction: the row security policies and all functions below compare with it. A
-- second bank in the same transaction raises ME005. SET LOCAL instead of set_config(): only the statement is passed
-- on to the workers of a Citus cluster.
-- The bank lock, which many functions take or require, is the bank's row in memory.bank `for no key update`, taken
-- before any other row of the bank.
create or replace function memory_internal.enter_bank(bank text) returns void
language plpgsql as $$
declare
    current_bank text := nullif(current_setting('memory.bank_id', true), '');
begin
    if current_bank is distinct from bank then
        if current_bank is not null then
            raise exception using errcode = 'ME005', message = 'one transaction, one bank';
        end if;
        execute format('set local memory.bank_id to %L', coalesce(bank, ''));
    end if;
end $$;

-- Sets memory.bank_id for the transaction: the row security policies and all functions below compare with it. A
-- second bank in the same transaction raises ME005. SET LOCAL instead of set_config(): only the statement is passed
-- on to the workers of a Citus cluster.
-- The bank lock, which many functions take or require, is the bank's row in memory.bank `for no key update`, taken
-- before any other row of the bank.
-- A bank that is being moved to another server is only read: Postgres refuses the writes of this transaction. ME080:
-- the bank was moved.
create or replace function memory_internal.enter_bank(bank text) returns void
language plpgsql as $$
declare
    current_bank text := nullif(current_setting('memory.bank_id', true), '');
    is_moved boolean;
begin
    if current_bank is distinct from bank then
        if current_bank is not null then
            raise exception using errcode = 'ME005', message = 'one transaction, one bank';
        end if;
        execute format('set local memory.bank_id to %L', coalesce(bank, ''));
        select f.moved into is_moved from memory.bank_fence f where f.bank = enter_bank.bank;
        if is_moved then
            raise exception using errcode = 'ME080', message = format('bank %L is on another server', bank);
        elsif found then
            set local transaction_read_only to on;
        end if;
    end if;
end $$;

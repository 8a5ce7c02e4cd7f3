-- Enters a bank for an export (enter_bank), and sets the formats of the transaction: the same row is the same text on
-- every server. Returns the bank's embedding model. Raises ME001 where the bank does not exist. The caller's
-- transaction is repeatable read: all tables are read from one snapshot.
create or replace function memory_api.begin_export(bank text) returns text
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    set local timezone = 'UTC';
    set local datestyle = 'ISO';
    set local bytea_output = 'hex';
    set local extra_float_digits = 1;
    set local statement_timeout = 0;
    return (select b.embedding_model from memory.bank b where b.bank_id = bank);
end $$;

-- Names the bank of this transaction: what the row security policies and every function below go by.
-- SET LOCAL, not set_config(): only the statement reaches the workers of a Citus cluster.
create or replace function memory_internal.enter_bank(bank text) returns void
language plpgsql as $$
declare
    named text := nullif(current_setting('memory.bank_id', true), '');
begin
    if named is distinct from bank then
        if named is not null then
            raise exception using errcode = 'ME005', message = 'one transaction, one bank';
        end if;
        execute format('set local memory.bank_id to %L', coalesce(bank, ''));
    end if;
end $$;

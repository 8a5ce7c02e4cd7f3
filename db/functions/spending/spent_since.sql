-- Returns number and tokens of a bank's model calls for these purposes after ledger row `line`, and the last row's
-- id. With `line` null only `last_line` is meaningful. Called by the nightly jobs to report their spending.
create or replace function memory_api.spent_since(
    bank text, purposes text[], line bigint, out calls integer, out tokens bigint, out last_line bigint)
language plpgsql stable as $$
begin
    perform memory_internal.enter_bank(bank);
    select coalesce(max(c.call_id), 0) into last_line from memory.model_call c where c.bank_id = bank;
    select count(*), coalesce(sum(c.input_tokens + c.output_tokens), 0)
      into calls, tokens
      from memory.model_call c
     where c.bank_id = bank and c.call_id > line and c.purpose = any (purposes);
end $$;

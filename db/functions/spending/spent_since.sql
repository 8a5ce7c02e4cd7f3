-- Returns number and tokens of a bank's model calls for these purposes after the call `after_call`, and the id of the
-- last call. With `after_call` null only `last_call` is meaningful. Called by the nightly jobs to report their
-- spending.
create or replace function memory_api.spent_since(
    bank text, purposes text[], after_call bigint, out calls integer, out tokens bigint, out last_call bigint)
language plpgsql stable as $$
begin
    perform memory_internal.enter_bank(bank);
    select coalesce(max(c.call_id), 0) into last_call from memory.model_call c where c.bank_id = bank;
    select count(*), coalesce(sum(c.input_tokens + c.output_tokens), 0)
      into calls, tokens
      from memory.model_call c
     where c.bank_id = bank and c.call_id > after_call and c.purpose = any (purposes);
end $$;

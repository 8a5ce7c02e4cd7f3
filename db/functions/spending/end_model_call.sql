-- Closes a line of the spend ledger with what the call cost and how it ended; what is not known (null) stays as it was
-- estimated. A line that is never closed (a worker that died) keeps its estimate: the provider may well have billed it.
create or replace function memory_api.end_model_call(
    bank text, call bigint, outcome text, input_tokens integer default null, output_tokens integer default null,
    seconds double precision default null)
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    update memory.model_call c
       set outcome = end_model_call.outcome,
           input_tokens = coalesce(end_model_call.input_tokens, c.input_tokens),
           output_tokens = coalesce(end_model_call.output_tokens, c.output_tokens),
           seconds = coalesce(end_model_call.seconds, c.seconds)
     where c.bank_id = bank and c.call_id = call;
end $$;

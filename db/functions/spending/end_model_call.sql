-- Completes a ledger row with actual tokens, seconds and outcome; nulls keep the estimate. A row that is never
-- completed (crashed worker) keeps its estimate, because the provider may have billed the call.
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

create or replace function memory_api.record_model_call(
    bank text, model text, purpose text, items integer, input_tokens integer, output_tokens integer,
    seconds double precision, outcome text, at timestamptz default now())
returns void
language plpgsql as $$
begin
    perform memory_api.enter_bank(bank);
    insert into memory.model_call
        (bank_id, model, purpose, items, input_tokens, output_tokens, seconds, outcome, at)
    values (bank, record_model_call.model, record_model_call.purpose, record_model_call.items,
            record_model_call.input_tokens, record_model_call.output_tokens, record_model_call.seconds,
            record_model_call.outcome, record_model_call.at);
end $$;

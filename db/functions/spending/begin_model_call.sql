-- Inserts a row into the spending ledger (memory.model_call) before a billed call, with its maximum token counts,
-- and returns its id; null if that would exceed the bank's daily token limit. Reserving before the call keeps
-- concurrent workers below the limit (advisory lock per bank). The first call of a day is always allowed: a call
-- larger than the limit would otherwise never run.
create or replace function memory_api.begin_model_call(
    bank text, model text, purpose text, items integer, input_tokens integer, output_tokens integer,
    daily_tokens bigint default null, at timestamptz default now())
returns bigint
language plpgsql as $$
declare
    call bigint;
    spent bigint;
begin
    perform memory_internal.enter_bank(bank);
    if daily_tokens is not null then
        perform pg_advisory_xact_lock(hashtextextended('memory.spend ' || bank, 0));
        select t.tokens into spent from memory_api.tokens_today(bank, at) as t;
        if spent > 0 and spent + begin_model_call.input_tokens + begin_model_call.output_tokens > daily_tokens then
            return null;
        end if;
    end if;
    insert into memory.model_call
        (bank_id, model, purpose, items, input_tokens, output_tokens, seconds, outcome, at)
    values (bank, begin_model_call.model, begin_model_call.purpose, begin_model_call.items,
            begin_model_call.input_tokens, begin_model_call.output_tokens, 0, 'under way', begin_model_call.at)
    returning call_id into call;
    return call;
end $$;

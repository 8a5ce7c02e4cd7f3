-- Tokens that the bank's model calls of this UTC day took, those under way as estimated.
create or replace function memory_api.tokens_today(bank text, at timestamptz default now()) returns bigint
language plpgsql as $$
declare
    tokens bigint;
begin
    perform memory_api.enter_bank(bank);
    select coalesce(sum(c.input_tokens + c.output_tokens), 0) into tokens
      from memory.model_call c
     where c.bank_id = bank and c.at >= date_trunc('day', tokens_today.at, 'UTC')
       and c.at < date_trunc('day', tokens_today.at, 'UTC') + interval '1 day';
    return tokens;
end $$;

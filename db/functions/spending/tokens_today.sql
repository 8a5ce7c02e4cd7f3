-- Returns the tokens of the bank's model calls of the current UTC day, estimates included, and the part of them that
-- belongs to unfinished calls begun in the last ten minutes.
create or replace function memory_api.tokens_today(
    bank text, at timestamptz default now(), out tokens bigint, out under_way bigint)
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    select coalesce(sum(c.input_tokens::bigint + c.output_tokens), 0),
           coalesce(sum(c.input_tokens::bigint + c.output_tokens) filter (
               where c.outcome = 'under way' and c.at > tokens_today.at - interval '10 minutes'), 0)
      into tokens, under_way
      from memory.model_call c
     where c.bank_id = bank and c.at >= date_trunc('day', tokens_today.at, 'UTC')
       and c.at < date_trunc('day', tokens_today.at, 'UTC') + interval '1 day';
end $$;

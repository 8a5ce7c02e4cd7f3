-- Returns the model calls of a bank since a time, summed by UTC day, purpose and model, the latest day first. A call
-- under way counts with its estimate. Called by the page of the spending.
create or replace function memory_api.spend_by_day(bank text, since timestamptz)
returns table (day date, purpose text, model text, calls bigint, failed bigint, items bigint, input_tokens bigint,
               output_tokens bigint, seconds double precision)
language plpgsql stable as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select (c.at at time zone 'UTC')::date, c.purpose, c.model, count(*),
               count(*) filter (where c.outcome not in ('ok', 'under way')),
               sum(c.items), sum(c.input_tokens), sum(c.output_tokens), sum(c.seconds)
          from memory.model_call c
         where c.bank_id = bank and c.at >= spend_by_day.since
         group by 1, c.purpose, c.model
         order by 1 desc, c.purpose, c.model;
end $$;

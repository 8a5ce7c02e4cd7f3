-- Returns the judgements of a bank numbered from 1 in their order, which an import keeps. Called by exported_columns
-- and finish_import.
create or replace function memory_internal.judgement_numbers(bank text)
returns table (judgement_id bigint, number bigint)
language plpgsql stable as $$
#variable_conflict use_column
begin
    perform memory_internal.enter_bank(bank);
    return query
        select j.judgement_id, row_number() over (order by j.judgement_id)
          from memory.fact_judgement j
         where j.bank_id = bank;
end $$;

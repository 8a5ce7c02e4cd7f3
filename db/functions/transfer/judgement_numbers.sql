-- Returns the judgements of a bank numbered from 1 in their order, which an import keeps. Raises nothing for an
-- unknown bank. Called by exported_columns and finish_import.
create or replace function memory_internal.judgement_numbers(bank text)
returns table (judgement_id bigint, number bigint)
language sql stable as $$
    select j.judgement_id, row_number() over (order by j.judgement_id)
      from memory.fact_judgement j
     where j.bank_id = bank;
$$;

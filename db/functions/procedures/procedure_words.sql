-- Returns the stemmed words of a procedure in the bank's language, by which recall finds it.
create or replace function memory_internal.procedure_words(bank text, content text, situation text, steps text[])
returns tsvector
language plpgsql stable as $$
declare
    language regconfig;
begin
    perform memory_internal.enter_bank(bank);
    select coalesce(b.settings ->> 'language', 'english')::regconfig into language
      from memory.bank b
     where b.bank_id = bank;
    return setweight(to_tsvector(language, concat_ws(' ', content, situation, array_to_string(steps, ' '))), 'A');
end $$;

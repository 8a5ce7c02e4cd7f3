-- Returns the stemmed words of a procedure in the bank's language, by which recall finds it.
create or replace function memory_internal.procedure_words(bank text, content text, situation text, steps text[])
returns tsvector
language plpgsql stable as $$
declare
    language constant regconfig := memory_internal.text_language(memory_internal.bank_settings(bank));
begin
    return setweight(to_tsvector(language, concat_ws(' ', content, situation, array_to_string(steps, ' '))), 'A');
end $$;

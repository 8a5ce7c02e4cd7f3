-- Returns how many texts of a bank have a vector of a model.
create or replace function memory_internal.text_count(bank text, model text) returns bigint
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    return (select count(*) from memory.memory_vector v
             where v.bank_id = bank and v.model_id = model and v.part in (0, memory_internal.first_reply_part()))
         + (select count(*) from memory.relational_vector v where v.bank_id = bank and v.model_id = model)
         + (select count(*) from memory.procedural_vector v where v.bank_id = bank and v.model_id = model)
         + (select count(*) from memory.lesson_vector v where v.bank_id = bank and v.model_id = model);
end $$;

-- Writes the vectors of a procedure's content and, where it has one, of its situation.
create or replace function memory_internal.set_procedure_vectors(
    bank text, model text, memory uuid, embedding public.halfvec, situation_embedding public.halfvec)
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    delete from memory.procedural_vector v
     where v.bank_id = bank and v.model_id = model and v.procedure_id = memory;
    insert into memory.procedural_vector (bank_id, procedure_id, model_id, part, embedding)
    select bank, memory, model, n.part, n.embedding
      from (values (0, set_procedure_vectors.embedding), (1, situation_embedding)) as n (part, embedding)
     where n.embedding is not null;
    perform memory_internal.drop_other_vectors(bank, array[memory]);
end $$;

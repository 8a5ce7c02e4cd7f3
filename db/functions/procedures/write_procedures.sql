-- Writes the procedures of a batch of subjects (read_procedure_texts) and completes their work rows; only for subjects
-- whose lease is still valid. Idempotent. Returns the number of changed procedures. Called by the worker
-- ('procedures'). `procedures` are {subject, memory_id, kind, content, situation, steps, why, stated}, for a committed
-- one {subject} alone; `embeddings` and `situations` (null without a situation) have an entry for each. A statement of
-- an episode is evidence of the procedure that it repeats (find_procedure), else a new one. A committed procedure
-- becomes active, or merged into the one that it repeats, and supersedes the one that it replaces. Takes the bank lock,
-- then the leases.
create or replace function memory_api.write_procedures(
    bank text, model text, subjects uuid[], tokens uuid[], procedures jsonb, embeddings public.halfvec[],
    situations public.halfvec[], at timestamptz default now())
returns integer
language plpgsql as $$
declare
    leased uuid[];
    entry record;
    committed memory.procedural_memory;
    changed integer := 0;
begin
    perform memory_internal.lock_bank_of_model(bank, model);
    leased := array(select h::uuid from memory_internal.lock_leases(bank, 'procedures', subjects::text[], tokens) as h);
    for entry in
        select (g.item ->> 'subject')::uuid as subject, g.item, embeddings[g.place] as embedding,
               situations[g.place] as situation_embedding
          from jsonb_array_elements(procedures) with ordinality as g (item, place)
         where (g.item ->> 'subject')::uuid = any (leased)
         order by g.place
    loop
        select p.* into committed
          from memory.procedural_memory p
         where p.bank_id = bank and p.memory_id = entry.subject
           for no key update;
        if found then
            changed := changed + memory_internal.place_committed_procedure(
                bank, model, committed, entry.embedding, entry.situation_embedding, at)::integer;
        else
            changed := changed + memory_internal.write_stated_procedure(
                bank, model, entry.subject, entry.item, entry.embedding, entry.situation_embedding, at)::integer;
        end if;
    end loop;
    perform memory_internal.complete_leases(bank, 'procedures', subjects::text[], tokens, at);
    if changed > 0 then
        perform memory_internal.mark_bank_due(bank, 0, at);
    end if;
    return changed;
end $$;

-- Completes a committed fact (place_fact): its vector, words, subject, attribute and value as far as rules determined
-- them. A fact that has a vector was placed before: only its wording changed (update_fact, erase_facts), and it gets
-- words, vector and the conflicts of its words.
-- Returns false if the lease was lost, else completes the work row. `statement` is {text, subject, attribute, value,
-- cardinality, opposes}, canonical. A text that states several facts is split: `further` has the other statements
-- (place_part), and the fact takes the words of the first one if rules read all of it; its former wording stays as a
-- version. `judge_pairs` as in upsert_facts. Called by the worker ('facts'). Takes the bank lock, then the lease; the
-- caller must not hold the bank lock.
create or replace function memory_api.place_committed_fact(
    bank text, model text, memory uuid, token uuid, statement jsonb, embedding public.halfvec,
    at timestamptz default now(), judge_pairs boolean default false)
returns boolean
language plpgsql as $$
declare
    committed memory.semantic_memory;
    part jsonb;
begin
    perform memory_internal.lock_bank_of_model(bank, model);
    if not exists (select from memory_internal.lock_leases(bank, 'facts', array[memory::text], array[token])) then
        return false;
    end if;
    select f.* into committed
      from memory.semantic_memory f
     where f.bank_id = bank and f.memory_id = memory for no key update;
    if found and committed.status <> 'merged_into' then
        if exists (select from memory.memory_vector v
                    where v.bank_id = bank and v.model_id = model and v.memory_id = memory) then
            perform memory_internal.write_fact_vectors(bank, model, array[memory], embedding);
            perform memory_internal.find_conflicts(
                bank, model, committed.timeline, statement ->> 'opposes', at, array[memory]);
        else
            -- Each part is merged into the fact that it repeats, and the commit, afterwards, into the one it repeats.
            for part in
                select p
                  from jsonb_array_elements(statement -> 'further') as p
                 where committed.retracted_at is null and committed.valid_to is null
            loop
                perform memory_internal.place_part(bank, model, memory, part, at, judge_pairs);
            end loop;
            if statement ->> 'text' <> committed.fact then
                update memory.semantic_memory f
                   set fact = statement ->> 'text',
                       fingerprint = memory_internal.text_fingerprint(statement ->> 'text')
                 where f.bank_id = bank and f.memory_id = memory;
            end if;
            perform memory_internal.place_fact(bank, model, memory, statement, embedding, at, judge_pairs);
        end if;
    end if;
    perform memory_internal.complete_leases(bank, 'facts', array[memory::text], array[token], at);
    perform memory_internal.mark_bank_due(bank, 0, at);
    return true;
end $$;

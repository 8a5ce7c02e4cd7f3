-- Completes a committed fact: writes its vector and words, sets subject, attribute and value as far as rules
-- determined them, and so its timeline; a fact that repeats a known one is merged into that one and confirms it. A fact
-- that has a vector was placed before: only its wording changed (update_fact, erase_facts), and it gets words, vector
-- and the conflicts of its words.
-- Returns false if the lease was lost, else completes the work row. `statement` is {text, subject, attribute, value,
-- cardinality, opposes}, canonical; `judge_pairs` as in upsert_facts. Called by the worker ('facts'). Takes the bank
-- lock, then the lease; the caller must not hold the bank lock.
create or replace function memory_api.place_committed_fact(
    bank text, model text, memory uuid, token uuid, statement jsonb, embedding public.halfvec,
    at timestamptz default now(), judge_pairs boolean default false)
returns boolean
language plpgsql as $$
declare
    committed memory.semantic_memory;
    fact_timeline text;
    matched uuid;
    reworded boolean;
begin
    perform memory_internal.lock_bank_of_model(bank, model);
    if not exists (select from memory_internal.lock_leases(bank, 'facts', array[memory::text], array[token])) then
        return false;
    end if;
    select f.* into committed
      from memory.semantic_memory f
     where f.bank_id = bank and f.memory_id = memory for no key update;
    if found and committed.status <> 'merged_into' then
        reworded := exists (select from memory.memory_vector v
                             where v.bank_id = bank and v.model_id = model and v.memory_id = memory);
        if not reworded then
            statement := statement || jsonb_build_object(
                'subject', memory_internal.resolve_person(bank, statement ->> 'subject'));
            fact_timeline := memory_internal.timeline_key(
                statement ->> 'subject', statement ->> 'attribute', statement ->> 'value', statement ->> 'cardinality',
                committed.fingerprint);
            matched := memory_internal.find_matching_fact(
                bank, model, fact_timeline, committed.fact, statement ->> 'subject', statement ->> 'attribute',
                statement ->> 'value', committed.fingerprint, embedding, memory);
        end if;
        insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding)
        values (bank, memory, model, 'semantic', place_committed_fact.embedding)
        on conflict on constraint memory_vector_pkey do update set embedding = excluded.embedding;
        perform memory_internal.index_vectors(bank, array[memory]);
        perform memory_internal.drop_other_vectors(bank, array[memory]);
        perform memory_internal.index_fact_words(bank, array[memory]);
        if not reworded then
            update memory.semantic_memory f
               set subject = statement ->> 'subject', attribute = statement ->> 'attribute',
                   value = statement ->> 'value', cardinality = statement ->> 'cardinality', timeline = fact_timeline
             where f.bank_id = bank and f.memory_id = memory;
            if matched is not null then
                select k.timeline into fact_timeline
                  from memory.semantic_memory k
                 where k.bank_id = bank and k.memory_id = matched;
                update memory.semantic_memory f
                   set value = k.value, timeline = k.timeline, subject = k.subject, attribute = k.attribute,
                       cardinality = k.cardinality
                  from memory.semantic_memory k
                 where f.bank_id = bank and f.memory_id = memory and k.bank_id = bank and k.memory_id = matched;
            end if;
            perform memory_internal.rebuild_timeline(bank, fact_timeline, 'committed',
                                                     coalesce(committed.agent_id, 'caller'), at);
            perform memory_internal.find_conflicts(bank, model, fact_timeline, statement ->> 'opposes', at);
            if judge_pairs then
                perform memory_internal.enqueue_judging(bank, array[memory], at);
            end if;
        else
            perform memory_internal.find_conflicts(
                bank, model, committed.timeline, statement ->> 'opposes', at, array[memory]);
        end if;
    end if;
    perform memory_internal.complete_leases(bank, 'facts', array[memory::text], array[token], at);
    perform memory_internal.mark_bank_due(bank, 0, at);
    return true;
end $$;

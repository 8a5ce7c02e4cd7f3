-- Inserts a copy of a fact, with words, vector and filters, for a later period of the same value and returns its id.
-- rebuild_timeline, the caller, sets evidence and times.
create or replace function memory_internal.split_fact(bank text, of_fact uuid, at timestamptz) returns uuid
language plpgsql as $$
declare
    later_fact constant uuid := gen_random_uuid();
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.semantic_memory
        (bank_id, memory_id, fact, subject, attribute, value, cardinality, timeline, fingerprint, importance, occurred_at,
         recorded_at, first_observed, last_confirmed, valid_from, source, agent_id, extracted_by, tags, recipients, metadata)
    select bank, later_fact, f.fact, f.subject, f.attribute, f.value, f.cardinality, f.timeline, f.fingerprint, f.importance,
           f.occurred_at, split_fact.at, f.first_observed, f.last_confirmed, f.valid_from, f.source, f.agent_id,
           f.extracted_by, f.tags, f.recipients, f.metadata
      from memory.semantic_memory f
     where f.bank_id = bank and f.memory_id = of_fact;
    insert into memory.memory_vector (bank_id, memory_id, model_id, part, tier, embedding)
    select bank, later_fact, v.model_id, v.part, v.tier, v.embedding
      from memory.memory_vector v
     where v.bank_id = bank and v.memory_id = of_fact;
    perform memory_internal.index_vectors(bank, array[later_fact]);
    perform memory_internal.index_fact_words(bank, array[later_fact]);
    return later_fact;
end $$;

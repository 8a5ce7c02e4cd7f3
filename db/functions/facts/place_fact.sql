-- Puts a committed fact that has no vector yet in its place: vector, words, subject, attribute, value and timeline as
-- its `statement` says (place_committed_fact). A fact that repeats a known one is merged into that one and confirms it.
-- Then finds its conflicts. Called by place_committed_fact, which holds the bank lock.
create or replace function memory_internal.place_fact(
    bank text, model text, memory uuid, statement jsonb, embedding public.halfvec, at timestamptz, judge_pairs boolean)
returns void
language plpgsql as $$
declare
    committed memory.semantic_memory;
    fact_subject text;
    fact_timeline text;
    matched uuid;
begin
    perform memory_internal.enter_bank(bank);
    select f.* into committed from memory.semantic_memory f where f.bank_id = bank and f.memory_id = memory;
    fact_subject := memory_internal.resolve_person(bank, statement ->> 'subject');
    fact_timeline := memory_internal.timeline_key(
        fact_subject, statement ->> 'attribute', statement ->> 'value', statement ->> 'cardinality',
        committed.fingerprint);
    matched := memory_internal.find_matching_fact(
        bank, model, fact_timeline, committed.fact, fact_subject, statement ->> 'attribute', statement ->> 'value',
        committed.fingerprint, embedding, memory);
    perform memory_internal.write_fact_vectors(bank, model, array[memory], embedding);
    update memory.semantic_memory f
       set subject = fact_subject, attribute = statement ->> 'attribute', value = statement ->> 'value',
           cardinality = statement ->> 'cardinality', timeline = fact_timeline
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
    perform memory_internal.rebuild_timeline(bank, fact_timeline, 'committed', coalesce(committed.agent_id, 'caller'), at);
    perform memory_internal.find_conflicts(bank, model, fact_timeline, statement ->> 'opposes', at);
    if judge_pairs then
        perform memory_internal.enqueue_judging(bank, array[memory], at);
    end if;
end $$;

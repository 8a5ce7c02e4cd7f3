-- Gives a committed fact its place among the others, with its vector and words: what it is about, where rules could tell,
-- and so its timeline. What says again what is known is merged into that, and confirms it. Only where the lease is still
-- ours; its work is completed. `said` is {text, subject, attribute, value, cardinality, opposes}, canonical. The caller
-- does not hold the bank's lock: it is taken here, first. `doubts` as in memory_api.upsert_facts.
create or replace function memory_api.place_committed_fact(
    bank text, model text, memory uuid, token uuid, said jsonb, embedding public.halfvec, at timestamptz default now(),
    doubts boolean default false)
returns boolean
language plpgsql as $$
declare
    mine memory.semantic_memory;
    line text;
    known uuid;
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    if not exists (select from memory_internal.lock_leases(bank, 'facts', array[memory::text], array[token])) then
        return false;
    end if;
    select f.* into mine from memory.semantic_memory f where f.bank_id = bank and f.memory_id = memory for no key update;
    if found and mine.status <> 'merged_into' then
        line := memory_internal.timeline_key(
            said ->> 'subject', said ->> 'attribute', said ->> 'value', said ->> 'cardinality', mine.said_key);
        known := memory_internal.find_matching_fact(
            bank, model, line, mine.fact, said ->> 'subject', said ->> 'attribute', said ->> 'value', mine.said_key,
            embedding, memory);
        insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding)
        values (bank, memory, model, 'semantic', place_committed_fact.embedding)
        on conflict on constraint memory_vector_pkey do update set embedding = excluded.embedding;
        perform memory_internal.index_vectors(bank, array[memory]);
        perform memory_internal.index_fact_words(bank, array[memory]);
        update memory.semantic_memory f
           set subject = said ->> 'subject', attribute = said ->> 'attribute', value = said ->> 'value',
               cardinality = said ->> 'cardinality', timeline = line
         where f.bank_id = bank and f.memory_id = memory;
        if known is not null then
            select k.timeline into line from memory.semantic_memory k where k.bank_id = bank and k.memory_id = known;
            update memory.semantic_memory f
               set value = k.value, timeline = k.timeline, subject = k.subject, attribute = k.attribute,
                   cardinality = k.cardinality
              from memory.semantic_memory k
             where f.bank_id = bank and f.memory_id = memory and k.bank_id = bank and k.memory_id = known;
        end if;
        perform memory_internal.rebuild_timeline(bank, line, 'committed', coalesce(mine.agent_id, 'caller'), at);
        perform memory_internal.find_conflicts(bank, model, line, said ->> 'opposes', at);
        if doubts then
            perform memory_internal.enqueue_judging(bank, array[memory], at);
        end if;
    end if;
    perform memory_internal.complete_leases(bank, 'facts', array[memory::text], array[token], at);
    perform memory_internal.mark_bank_due(bank, 0, at);
    return true;
end $$;

-- What episodes state as facts: one call per bank writes each candidate as evidence of what it is about
-- (memory_internal.write_statements). Only for episodes whose lease is still ours; their work is completed. The bank's lock
-- comes first. Run again, it changes nothing. The answer is how many statements were new.
create or replace function memory_api.upsert_facts(
    bank text, model text, episodes uuid[], tokens uuid[], facts jsonb, embeddings public.halfvec[],
    at timestamptz default now(), doubts boolean default false)
returns integer
language plpgsql as $$
declare
    fresh integer;
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    fresh := memory_internal.write_statements(
        bank, model, array(select h::uuid from memory_internal.lock_leases(bank, 'facts', episodes::text[], tokens) as h),
        facts, embeddings, at => upsert_facts.at, doubts => upsert_facts.doubts);
    perform memory_internal.complete_leases(bank, 'facts', episodes::text[], tokens, at);
    if fresh > 0 then
        perform memory_internal.mark_bank_due(bank, 0, at);
    end if;
    return fresh;
end $$;

-- Writes the candidate facts of a batch of episodes (write_statements) and completes their work rows; only for
-- episodes whose lease is still valid. Idempotent. Returns the number of new statements. `judge_pairs` enqueues pair
-- judging for new facts. Facts about instructions whose norms have ended end at once (end_instruction_facts). Called by
-- the worker ('facts'). Takes the bank lock, then the leases.
create or replace function memory_api.upsert_facts(
    bank text, model text, episodes uuid[], tokens uuid[], facts jsonb, embeddings public.halfvec[],
    at timestamptz default now(), judge_pairs boolean default false)
returns integer
language plpgsql as $$
declare
    new_statements integer;
begin
    perform memory_internal.lock_bank_of_model(bank, model);
    new_statements := memory_internal.write_statements(
        bank, model, array(select h::uuid from memory_internal.lock_leases(bank, 'facts', episodes::text[], tokens) as h),
        facts, embeddings, at => upsert_facts.at, judge_pairs => upsert_facts.judge_pairs);
    if exists (select from jsonb_array_elements(facts) as f
                where memory_internal.norm_kind_of(f ->> 'attribute') = 'instruction') then
        perform memory_internal.end_instruction_facts(bank, at);
    end if;
    perform memory_internal.complete_leases(bank, 'facts', episodes::text[], tokens, at);
    if new_statements > 0 then
        perform memory_internal.mark_bank_due(bank, 0, at);
    end if;
    return new_statements;
end $$;

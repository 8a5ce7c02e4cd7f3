-- Records the decision on an explicit commit that the harm check refused, without its text.
create or replace function memory_api.refuse_memory(bank text, decision jsonb, at timestamptz default now())
returns void
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    perform memory_internal.record_decision(bank, decision, null, null, at);
end $$;

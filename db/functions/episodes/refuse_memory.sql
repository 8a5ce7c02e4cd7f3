-- Records the decision on an explicit commit that the harm check refused, without its text.
create or replace function memory_api.refuse_memory(bank text, decision jsonb, at timestamptz default now())
returns void
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    insert into memory.gate_decision (bank_id, decision_id, outcome, reason, verdicts, decided_by, decided_at)
    values (bank, (decision ->> 'decision_id')::uuid, decision ->> 'outcome', decision ->> 'reason',
            decision -> 'verdicts', decision ->> 'decided_by', at);
end $$;

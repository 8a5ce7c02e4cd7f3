-- Writes a gate decision of a commit or a change: {decision_id, outcome, reason, verdicts, decided_by}. `memory` is
-- null if nothing was stored.
create or replace function memory_internal.record_decision(
    bank text, decision jsonb, memory uuid, conversation text, at timestamptz)
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.gate_decision
        (bank_id, decision_id, conversation_id, memory_id, outcome, reason, verdicts, decided_by, decided_at)
    values (bank, (decision ->> 'decision_id')::uuid, conversation, memory, decision ->> 'outcome', decision ->> 'reason',
            decision -> 'verdicts', decision ->> 'decided_by', at);
end $$;

-- Removes the texts that an agent, or anyone in a period, gave with an act that stays: notes on outcomes of procedures
-- (record_outcome) and answers to questions. An erased answer is the empty text, which no call gives:
-- answer_clarification accepts its repetition. Returns whether there were any. The scopes and selectors are those of
-- erasure_selection. Called by erase_rows, which holds the bank lock.
create or replace function memory_internal.erase_notes(bank text, scope text, selector jsonb) returns boolean
language plpgsql as $$
declare
    agent constant text := case when scope = 'agent' then selector ->> 'agent_id' end;
    since constant timestamptz := case when scope = 'period' then (selector ->> 'since')::timestamptz end;
    until constant timestamptz := case when scope = 'period' then (selector ->> 'until')::timestamptz end;
    notes_erased boolean;
begin
    perform memory_internal.enter_bank(bank);
    update memory.procedure_version v
       set reason = split_part(v.reason, ': ', 1)
     where v.bank_id = bank and (v.reason like 'worked: %' or v.reason like 'failed: %')
       and (v.actor = agent or v.at >= since and v.at < until);
    notes_erased := found;
    update memory.clarification q
       set answer = ''
     where q.bank_id = bank and q.answer <> ''
       and (q.actor = agent or q.answered_at >= since and q.answered_at < until);
    return notes_erased or found;
end $$;

-- A conversation's messages that failed before they were cut are pending again; they may lie behind the mark by now.
create or replace function memory_internal.resegment_conversation(bank text, conversation text) returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    update memory.message m set status = 'pending', decided_at = null
     where m.bank_id = bank and m.conversation_id = conversation and m.segment_id is null and m.status = 'failed';
    update memory.conversation c set cut_through = 0
     where c.bank_id = bank and c.conversation_id = conversation;
end $$;

-- Sets the conversation's messages that failed before segmentation back to pending, and its watermark
-- `segmented_through` to 0, because they may lie below it. Called by redrive_work.
create or replace function memory_internal.resegment_conversation(bank text, conversation text) returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    update memory.message m set status = 'pending', decided_at = null
     where m.bank_id = bank and m.conversation_id = conversation and m.segment_id is null and m.status = 'failed';
    update memory.conversation c set segmented_through = 0
     where c.bank_id = bank and c.conversation_id = conversation;
end $$;

-- Deletes the extraction work of these segments, and takes away the leases of other extractions in these conversations,
-- which may have read the segments as context: they are claimed again. Locks the work rows, in order, until the end of
-- the transaction: workers that write at this moment finish first; segmentation of the conversations waits. So do new
-- messages of conversations that wait for segmentation (conversation_lock_key): erase_rows may delete that work, on
-- which add_message relies.
create or replace function memory_internal.overtake_work(bank text, conversations text[], segments uuid[]) returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    perform pg_advisory_xact_lock(memory_internal.conversation_lock_key(bank, c.id))
       from (select w.subject as id from memory.work w
              where w.bank_id = bank and w.kind = 'segment' and w.subject = any (conversations)
              order by w.subject) as c;
    perform from memory.work w
      where w.bank_id = bank and w.kind = 'segment' and w.subject = any (conversations)
      order by w.subject
        for update;
    update memory.work w
       set lease_token = null, claimed_generation = null, generation = w.generation + 1, not_before = now()
     where w.bank_id = bank and w.kind = 'extract' and w.lease_token is not null and w.subject <> all (segments::text[])
       and w.subject = any (array(
            select distinct m.segment_id::text from memory.message m
             where m.bank_id = bank and m.conversation_id = any (conversations) and m.status = 'pending'));
    perform memory_internal.remove_work(bank, array['extract'], segments::text[]);
end $$;

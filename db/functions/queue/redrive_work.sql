-- Brings up to `page` dead letters of a bank back to life, with all their tries, and what they are about back to
-- pending. Callers repeat it until the answer is less than a page, with the `asked_at` of the first answer: what dies
-- again meanwhile is a new letter, and the repeating ends.
-- The bank's lock comes first (promise 8), so that two at once take turns and a letter is counted to one of them.
create or replace function memory_api.redrive_work(
    bank text, page integer, died_by timestamptz default null, at timestamptz default now(),
    out redriven integer, out asked_at timestamptz)
language plpgsql as $$
declare
    dead record;
begin
    perform memory_internal.require_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    redriven := 0;
    asked_at := coalesce(died_by, at);
    for dead in select r.kind, r.subject from memory_internal.revive_work(bank, page, asked_at, at) as r loop
        if dead.kind = 'cut' then
            perform memory_internal.resegment_conversation(bank, dead.subject);
        elsif dead.kind = 'extract' then
            update memory.message m set status = 'pending', decided_at = null
             where m.bank_id = bank and m.segment_id = dead.subject::uuid and m.status = 'failed';
        else
            perform memory_internal.set_episode_status(
                bank, dead.subject::uuid, array['failed'], 'pending_embedding', 're-driven', 'operator', at);
        end if;
        redriven := redriven + 1;
    end loop;
    -- Messages that failed with a cut which a later message has brought back to life: no letter tells of them any more.
    for dead in
        select distinct m.conversation_id as subject
          from memory.message m
         where m.bank_id = bank and m.segment_id is null and m.status = 'failed' and m.decided_at <= asked_at
         order by 1
         limit page - redriven
    loop
        -- The work row before the messages, as cutting locks them.
        perform memory_internal.enqueue_work(bank, 'cut', dead.subject, 1, at, at);
        perform memory_internal.resegment_conversation(bank, dead.subject);
        redriven := redriven + 1;
    end loop;
end $$;

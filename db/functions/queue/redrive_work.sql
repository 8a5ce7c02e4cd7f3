-- Revives up to `page` dead letters of a bank with all their attempts, and sets their messages or episodes back to
-- pending. Called by the command `redrive`, which repeats the call with the first call's `requested_at` as `dead_until`
-- until fewer than `page` are returned: a letter that dies again meanwhile is a new one, so the loop ends. Takes the
-- bank lock first, so that concurrent calls run in turn and each letter is counted once.
create or replace function memory_api.redrive_work(
    bank text, page integer, dead_until timestamptz default null, at timestamptz default now(),
    actor text default 'operator', key text default null,
    out redriven integer, out requested_at timestamptz)
language plpgsql as $$
declare
    letter record;
begin
    perform memory_internal.lock_bank(bank);
    redriven := 0;
    requested_at := coalesce(dead_until, at);
    for letter in select r.kind, r.subject from memory_internal.revive_work(bank, page, requested_at, at) as r loop
        if letter.kind = 'segment' then
            perform memory_internal.resegment_conversation(bank, letter.subject);
        elsif letter.kind = 'extract' then
            update memory.message m set status = 'pending', decided_at = null
             where m.bank_id = bank and m.segment_id = letter.subject::uuid and m.status = 'failed';
        elsif letter.kind <> 'relational' then
            perform memory_internal.set_procedure_status(
                bank, letter.subject::uuid, 'failed', 'pending_embedding', 're-driven', actor, at);
            perform memory_internal.set_episode_status(
                bank, letter.subject::uuid, array['failed'], 'pending_embedding', 're-driven', actor, at);
        end if;
        redriven := redriven + 1;
    end loop;
    -- Failed messages whose dead 'segment' row was revived by a later message: they have no dead letter any more.
    for letter in
        select distinct m.conversation_id as subject
          from memory.message m
         where m.bank_id = bank and m.segment_id is null and m.status = 'failed' and m.decided_at <= requested_at
         order by 1
         limit page - redriven
    loop
        -- Lock order as in segment_conversation: the work row, then the messages.
        perform memory_internal.enqueue_work(bank, 'segment', letter.subject, 1, at, at);
        perform memory_internal.resegment_conversation(bank, letter.subject);
        redriven := redriven + 1;
    end loop;
    if redriven > 0 then
        perform memory_internal.record_audit(
            'work_redriven', actor, key, bank, '{}', jsonb_build_object('items', redriven), at);
    end if;
end $$;

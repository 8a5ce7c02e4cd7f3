-- Brings the dead letters of a bank back to life, with all their tries, and what they are about back to pending. The
-- answer is how many.
create or replace function memory_api.redrive_work(bank text, at timestamptz default now()) returns integer
language plpgsql as $$
declare
    dead record;
    revived integer := 0;
begin
    perform memory_api.require_bank(bank);
    for dead in select d.kind, d.subject from memory_api.dead_work(bank) as d loop
        if dead.kind = 'cut' then
            -- Its messages may lie behind the mark by now.
            update memory.message m set status = 'pending', decided_at = null
             where m.bank_id = bank and m.conversation_id = dead.subject and m.segment_id is null
               and m.status = 'failed';
            update memory.conversation c set cut_through = 0
             where c.bank_id = bank and c.conversation_id = dead.subject;
        elsif dead.kind = 'extract' then
            update memory.message m set status = 'pending', decided_at = null
             where m.bank_id = bank and m.segment_id = dead.subject::uuid and m.status = 'failed';
        else
            perform memory_api.move_episode(
                bank, dead.subject::uuid, array['failed'], 'pending_embedding', 're-driven', 'operator', at);
        end if;
        perform memory_api.enqueue_work(bank, dead.kind, dead.subject, 1, at, at);
        revived := revived + 1;
    end loop;
    return revived;
end $$;

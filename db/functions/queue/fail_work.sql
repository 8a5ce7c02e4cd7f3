-- Records a failed attempt whose cause lies in the row itself: retried at `retry_at`, or, after `max_attempts`, kept
-- as a dead letter with its reason; its messages or episode are then marked failed in the same transaction. Returns
-- 'retry', 'dead', or null if the lease was lost. Called by the worker. Locks: for kind 'segment' the conversation's
-- advisory lock, then the work row.
create or replace function memory_api.fail_work(
    bank text, kind text, subject text, token uuid, reason text, retry_at timestamptz, max_attempts integer,
    at timestamptz default now())
returns text
language plpgsql as $$
declare
    outcome text;
begin
    perform memory_internal.enter_bank(bank);
    if kind = 'segment' then
        -- Waits for concurrent add_message calls, as segment_conversation does: otherwise a message that relied on this
        -- waiting row would stay pending behind a dead row.
        perform pg_advisory_xact_lock(memory_internal.conversation_lock_key(bank, fail_work.subject));
    end if;
    outcome := memory_internal.fail_lease(bank, kind, subject, token, reason, retry_at, max_attempts, at);
    if outcome is distinct from 'dead' then
        return outcome;
    end if;
    if kind = 'segment' then
        update memory.message m set status = 'failed', decided_at = at
         where m.bank_id = bank and m.conversation_id = fail_work.subject and m.segment_id is null
           and m.status = 'pending';
    elsif kind = 'extract' then
        update memory.message m set status = 'failed', decided_at = at
         where m.bank_id = bank and m.segment_id = fail_work.subject::uuid and m.status = 'pending';
        insert into memory.gate_decision as d
            (bank_id, decision_id, conversation_id, segment_id, message_ids, outcome, reason, verdicts,
             decided_by, decided_at)
        select bank, gen_random_uuid(), min(m.conversation_id), fail_work.subject::uuid,
               array_agg(m.message_id order by m.position), 'failed', fail_work.reason, '[]', 'worker', at
          from memory.message m
         where m.bank_id = bank and m.segment_id = fail_work.subject::uuid
        having count(*) > 0
        -- A redriven dead letter that failed again gets the new reason.
        on conflict on constraint gate_decision_segment_key do update
           set reason = excluded.reason, decided_at = excluded.decided_at
         where d.outcome = 'failed';
    elsif kind <> 'relational' then  -- the bank's episodes are not affected
        perform memory_internal.set_procedure_status(
            bank, fail_work.subject::uuid, 'pending_embedding', 'failed', fail_work.reason, 'worker', at);
        perform memory_internal.set_episode_status(
            bank, fail_work.subject::uuid, array['pending_embedding'], 'failed', fail_work.reason, 'worker', at);
    end if;
    return outcome;
end $$;

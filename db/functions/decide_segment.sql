-- Writes what became of one segment, in one transaction with the completion of its work row: the decision, the
-- episode where there is one, the messages' status, and the embedding work. False where the lease is not ours.
create or replace function memory_api.decide_segment(
    bank text, segment uuid, token uuid, lane integer, decision jsonb, episode jsonb default null,
    at timestamptz default now())
returns boolean
language plpgsql as $$
declare
    outcome text := decision ->> 'outcome';
    memory uuid := (episode ->> 'memory_id')::uuid;
    conversation text;
    messages uuid[];
begin
    perform memory_api.enter_bank(bank);
    if not memory_api.hold_work(bank, 'extract', segment::text, token) then
        return false;
    end if;
    update memory.message m
       set status = case when outcome = 'refused' then 'refused' else 'stored' end::memory.message_status,
           memory_id = memory, decided_at = at
     where m.bank_id = bank and m.segment_id = segment;
    select min(m.conversation_id), array_agg(m.message_id order by m.position) into conversation, messages
      from memory.message m
     where m.bank_id = bank and m.segment_id = segment;
    if messages is null then
        -- Erased meanwhile: nothing is left to decide about.
        return memory_api.complete_work(bank, 'extract', segment::text, token, null, at);
    end if;
    -- A decision of an earlier, failed life of this segment gives way.
    insert into memory.gate_decision as d
        (bank_id, decision_id, conversation_id, segment_id, memory_id, message_ids, outcome, reason, verdicts,
         decided_by, decided_at)
    values (bank, (decision ->> 'decision_id')::uuid, conversation, segment, memory, messages, outcome,
            decision ->> 'reason', decision -> 'verdicts', decision ->> 'decided_by', at)
    on conflict on constraint gate_decision_segment_key do update
       set memory_id = excluded.memory_id, outcome = excluded.outcome, reason = excluded.reason,
           verdicts = excluded.verdicts, decided_by = excluded.decided_by, decided_at = excluded.decided_at;
    if episode is not null then
        perform memory_api.insert_episode(
            bank, episode || jsonb_build_object('segment_id', segment, 'conversation_id', conversation), lane, at);
    end if;
    perform memory_api.complete_work(bank, 'extract', segment::text, token, null, at);
    return true;
end $$;

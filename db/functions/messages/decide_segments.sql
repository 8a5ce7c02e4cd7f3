-- Writes what became of segments of one bank, in one transaction with the completion of their work rows: the decisions,
-- the episodes where there are any, the messages' status, and the embedding work. A ruling is
-- {segment, token, decision, episode | null, replies}; one whose lease is not ours any more is left to who holds it.
-- `replies` say to what the last context brought up (memory_internal.apply_replies), whatever is decided about remembering them.
-- The answer is how many were ours.
create or replace function memory_api.decide_segments(bank text, rulings jsonb, at timestamptz default now())
returns integer
language plpgsql as $$
declare
    segments text[];
    tokens uuid[];
    held text[];
    episodes jsonb;
    answering record;
begin
    perform memory_internal.enter_bank(bank);
    if jsonb_path_exists(rulings, '$[*].replies[*]') then
        perform from memory.bank b where b.bank_id = bank for no key update;
    end if;
    select array_agg(r ->> 'segment'), array_agg((r ->> 'token')::uuid) into segments, tokens
      from jsonb_array_elements(rulings) as r;
    held := array(select memory_internal.lock_leases(bank, 'extract', segments, tokens));
    with mine as materialized (
        select (r ->> 'segment')::uuid as segment_id, r -> 'decision' as decision,
               nullif(r -> 'episode', 'null') as episode
          from jsonb_array_elements(rulings) as r
         where r ->> 'segment' = any (held)
    ),
    told as (
        update memory.message m
           set status = case when mine.decision ->> 'outcome' = 'refused' then 'refused' else 'stored' end::memory.message_status,
               memory_id = (mine.episode ->> 'memory_id')::uuid, decided_at = at
          from mine
         where m.bank_id = bank and m.segment_id = mine.segment_id
        returning m.segment_id, m.conversation_id, m.message_id, m.position, m.recorded_at
    ),
    -- A segment without messages was erased meanwhile: nothing is left to decide about.
    said as materialized (
        select t.segment_id, min(t.conversation_id) as conversation_id,
               array_agg(t.message_id order by t.position) as message_ids,
               max(t.recorded_at) as since
          from told t
         group by t.segment_id
    ),
    decided as (
        -- A decision of an earlier, failed life of a segment gives way.
        insert into memory.gate_decision as d
            (bank_id, decision_id, conversation_id, segment_id, memory_id, message_ids, outcome, reason, verdicts,
             decided_by, decided_at)
        select bank, (mine.decision ->> 'decision_id')::uuid, said.conversation_id, mine.segment_id,
               (mine.episode ->> 'memory_id')::uuid, said.message_ids, mine.decision ->> 'outcome',
               mine.decision ->> 'reason', mine.decision -> 'verdicts', mine.decision ->> 'decided_by', at
          from mine
          join said on said.segment_id = mine.segment_id
        on conflict on constraint gate_decision_segment_key do update
           set memory_id = excluded.memory_id, outcome = excluded.outcome, reason = excluded.reason,
               verdicts = excluded.verdicts, decided_by = excluded.decided_by, decided_at = excluded.decided_at
    )
    select jsonb_agg(mine.episode
                     || jsonb_build_object('segment_id', mine.segment_id, 'conversation_id', said.conversation_id,
                                           'since', said.since))
      into episodes
      from mine
      join said on said.segment_id = mine.segment_id
     where mine.episode is not null;
    if episodes is not null then
        perform memory_internal.insert_episodes(bank, episodes, at);
    end if;
    for answering in
        select (r ->> 'segment')::uuid as segment_id, r -> 'replies' as replies
          from jsonb_array_elements(rulings) as r
         where r ->> 'segment' = any (held) and jsonb_path_exists(r, '$.replies[*]')
    loop
        perform memory_internal.apply_replies(bank, answering.segment_id, answering.replies, at);
    end loop;
    perform memory_internal.complete_leases(bank, 'extract', segments, tokens, at);
    return cardinality(held);
end $$;

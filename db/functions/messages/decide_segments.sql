-- Writes the gate decisions of segments of one bank and completes their work rows in the same transaction:
-- decisions, episodes, message statuses and embedding work. Called by the worker after extraction. `decisions` is an
-- array of {segment, token, decision, episode | null, replies}; those whose lease was lost are skipped. Returns the
-- number written. `replies` are the user's answers to facts shown in the preceding context (apply_replies) and are
-- applied whatever the decision. Locks: the bank lock if there are replies, then the leases.
create or replace function memory_api.decide_segments(bank text, decisions jsonb, at timestamptz default now())
returns integer
language plpgsql as $$
declare
    segments text[];
    tokens uuid[];
    leased text[];
    episodes jsonb;
    reply_set record;
begin
    perform memory_internal.enter_bank(bank);
    if jsonb_path_exists(decisions, '$[*].replies[*]') then
        perform from memory.bank b where b.bank_id = bank for no key update;
    end if;
    select array_agg(r ->> 'segment'), array_agg((r ->> 'token')::uuid) into segments, tokens
      from jsonb_array_elements(decisions) as r;
    leased := array(select memory_internal.lock_leases(bank, 'extract', segments, tokens));
    with ruling as materialized (
        select (r ->> 'segment')::uuid as segment_id, r -> 'decision' as decision,
               nullif(r -> 'episode', 'null') as episode
          from jsonb_array_elements(decisions) as r
         where r ->> 'segment' = any (leased)
    ),
    marked as (
        update memory.message m
           set status = case when ruling.decision ->> 'outcome' = 'refused' then 'refused'
                             else 'stored' end::memory.message_status,
               memory_id = (ruling.episode ->> 'memory_id')::uuid, decided_at = at
          from ruling
         where m.bank_id = bank and m.segment_id = ruling.segment_id
        returning m.segment_id, m.conversation_id, m.message_id, m.position, m.recorded_at
    ),
    -- A segment without messages was deleted meanwhile and gets no decision.
    segment as materialized (
        select t.segment_id, min(t.conversation_id) as conversation_id,
               array_agg(t.message_id order by t.position) as message_ids,
               max(t.recorded_at) as since
          from marked t
         group by t.segment_id
    ),
    decided as (
        -- Replaces the 'failed' decision of an earlier attempt.
        insert into memory.gate_decision as d
            (bank_id, decision_id, conversation_id, segment_id, memory_id, message_ids, outcome, reason, verdicts,
             decided_by, decided_at)
        select bank, (ruling.decision ->> 'decision_id')::uuid, segment.conversation_id, ruling.segment_id,
               (ruling.episode ->> 'memory_id')::uuid, segment.message_ids, ruling.decision ->> 'outcome',
               ruling.decision ->> 'reason', ruling.decision -> 'verdicts', ruling.decision ->> 'decided_by', at
          from ruling
          join segment on segment.segment_id = ruling.segment_id
        on conflict on constraint gate_decision_segment_key do update
           set memory_id = excluded.memory_id, outcome = excluded.outcome, reason = excluded.reason,
               verdicts = excluded.verdicts, decided_by = excluded.decided_by, decided_at = excluded.decided_at
    )
    select jsonb_agg(ruling.episode
                     || jsonb_build_object('segment_id', ruling.segment_id, 'conversation_id', segment.conversation_id,
                                           'since', segment.since))
      into episodes
      from ruling
      join segment on segment.segment_id = ruling.segment_id
     where ruling.episode is not null;
    if episodes is not null then
        perform memory_internal.insert_episodes(bank, episodes, at);
    end if;
    for reply_set in
        select (r ->> 'segment')::uuid as segment_id, r -> 'replies' as replies
          from jsonb_array_elements(decisions) as r
         where r ->> 'segment' = any (leased) and jsonb_path_exists(r, '$.replies[*]')
    loop
        perform memory_internal.apply_replies(bank, reply_set.segment_id, reply_set.replies, at);
    end loop;
    perform memory_internal.complete_leases(bank, 'extract', segments, tokens, at);
    return cardinality(leased);
end $$;

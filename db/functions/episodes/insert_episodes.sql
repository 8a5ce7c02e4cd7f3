-- Inserts episodes from JSON objects with their first events, and enqueues their next work: 'annotate' if fields are
-- still to be extracted, else 'embed'. A quarantined episode waits for its release and gets no work.
create or replace function memory_internal.insert_episodes(bank text, episodes jsonb, at timestamptz) returns void
language plpgsql as $$
declare
    work_of_kind record;
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.episodic_memory
        (bank_id, memory_id, segment_id, idempotency_key, conversation_id, agent_id, source, status, occurred_at,
         recorded_at, full_text, summary, importance, importance_features, emotional_valence, emotions, lesson,
         topics, entities, tags, recipients, metadata, candidate_facts, given, extracted_by, landmark, reply,
         signals)
    select bank, e.memory_id, e.segment_id, e.idempotency_key, e.conversation_id, e.agent_id, e.source, e.status,
           coalesce(e.occurred_at, at), at, e.full_text, e.summary, e.importance,
           coalesce(e.importance_features, '{}'), e.emotional_valence, coalesce(e.emotions, '{}'), e.lesson,
           coalesce(e.topics, '{}'), coalesce(e.entities, '{}'), coalesce(e.tags, '{}'),
           coalesce(e.recipients, '{}'), coalesce(e.metadata, '{}'), coalesce(e.candidate_facts, '[]'),
           coalesce(e.given, '{}'), e.extracted_by,
           coalesce(e.landmark, memory_internal.is_landmark(
               e.emotional_valence, e.importance, l.landmark_valence, l.landmark_importance)),
           nullif(e.reply, ''), coalesce(e.signals, '{}')
      from jsonb_populate_recordset(null::memory.episodic_memory, episodes) as e
     cross join memory_api.bank_limits(bank) as l;
    insert into memory.memory_event (bank_id, memory_id, memory_type, event, to_status, reason, actor, at)
    select bank, (e ->> 'memory_id')::uuid, 'episodic', 'created', e ->> 'status', e ->> 'reason', e ->> 'actor', at
      from jsonb_array_elements(episodes) as e;
    for work_of_kind in
        select case when e ->> 'extracted_by' is null then 'annotate' else 'embed' end as kind,
               array_agg(e ->> 'memory_id') as memories, array_agg(coalesce((e ->> 'lane')::integer, 0)) as lanes,
               array_agg((e ->> 'since')::timestamptz) as since
          from jsonb_array_elements(episodes) as e
         where e ->> 'status' = 'pending_embedding'
         group by 1
    loop
        perform memory_internal.enqueue_new(
            bank, work_of_kind.kind, work_of_kind.memories, work_of_kind.lanes, at, work_of_kind.since);
    end loop;
end $$;

-- One episode from its JSON shape, its first event, and the work that makes it whole: 'annotate' where fields are
-- still to be extracted, else 'embed'. A quarantined one waits for its release and makes no work.
create or replace function memory_api.insert_episode(bank text, episode jsonb, lane integer, at timestamptz)
returns void
language plpgsql as $$
declare
    e memory.episodic_memory;
begin
    perform memory_api.enter_bank(bank);
    e := jsonb_populate_record(null::memory.episodic_memory, episode);
    insert into memory.episodic_memory
        (bank_id, memory_id, segment_id, idempotency_key, conversation_id, agent_id, source, status, occurred_at,
         recorded_at, full_text, summary, importance, importance_features, emotional_valence, emotions, lesson,
         topics, entities, tags, recipients, metadata, candidate_facts, given, extracted_by, landmark)
    values
        (bank, e.memory_id, e.segment_id, e.idempotency_key, e.conversation_id, e.agent_id, e.source, e.status,
         coalesce(e.occurred_at, at), at, e.full_text, e.summary, e.importance, coalesce(e.importance_features, '{}'),
         e.emotional_valence, coalesce(e.emotions, '{}'), e.lesson, coalesce(e.topics, '{}'),
         coalesce(e.entities, '{}'), coalesce(e.tags, '{}'), coalesce(e.recipients, '{}'),
         coalesce(e.metadata, '{}'), coalesce(e.candidate_facts, '[]'), coalesce(e.given, '{}'), e.extracted_by,
         coalesce(e.landmark, false));
    insert into memory.memory_event (bank_id, memory_id, memory_type, event, to_status, reason, actor, at)
    values (bank, e.memory_id, 'episodic', 'created', e.status, episode ->> 'reason', episode ->> 'actor', at);
    if e.status = 'pending_embedding' then
        perform memory_api.enqueue_work(
            bank, case when e.extracted_by is null then 'annotate' else 'embed' end, e.memory_id::text, lane, at, at);
    end if;
end $$;

-- Fills the fields of a committed episode that its caller did not give, and hands it on to embedding; a text that
-- the harm check holds back is quarantined instead. False where the lease is not ours.
create or replace function memory_api.annotate_memory(
    bank text, memory uuid, token uuid, lane integer, fields jsonb, to_status text, reason text,
    at timestamptz default now())
returns boolean
language plpgsql as $$
declare
    f memory.episodic_memory;
begin
    perform memory_internal.enter_bank(bank);
    if not memory_internal.lock_lease(bank, 'annotate', memory::text, token) then
        return false;
    end if;
    f := jsonb_populate_record(null::memory.episodic_memory, fields);
    update memory.episodic_memory e
       set importance = case when e.given ? 'importance' then e.importance else f.importance end,
           emotional_valence = case when e.given ? 'valence' then e.emotional_valence else f.emotional_valence end,
           emotions = case when e.given ? 'emotions' then e.emotions else f.emotions end,
           topics = case when e.given ? 'topics' then e.topics else f.topics end,
           entities = case when e.given ? 'entities' then e.entities else f.entities end,
           lesson = case when e.given ? 'lesson' then e.lesson else f.lesson end,
           importance_features = f.importance_features,
           candidate_facts = f.candidate_facts,
           extracted_by = f.extracted_by
     where e.bank_id = bank and e.memory_id = memory;
    -- By what holds now, given or extracted.
    update memory.episodic_memory e
       set landmark = memory_internal.is_landmark(
               e.emotional_valence, e.importance, l.landmark_valence, l.landmark_importance)
      from memory_api.bank_limits(bank) as l
     where e.bank_id = bank and e.memory_id = memory;
    if to_status = 'pending_embedding' then
        perform memory_internal.enqueue_work(bank, 'embed', memory::text, lane, at, at);
    else
        perform memory_internal.set_episode_status(bank, memory, array['pending_embedding'], to_status, reason, 'worker', at);
        update memory.gate_decision d
           set outcome = to_status, reason = annotate_memory.reason, decided_by = f.extracted_by, decided_at = at
         where d.bank_id = bank and d.memory_id = memory;
    end if;
    perform memory_api.complete_work(bank, 'annotate', memory::text, token, null, at);
    return true;
end $$;

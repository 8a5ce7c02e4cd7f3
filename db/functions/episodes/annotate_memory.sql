-- Fills the fields of a committed episode that the caller did not give, or set since (with_changed), and enqueues
-- embedding; of changed content (replace_content) those given for the former content as well; with another
-- `to_status`, as when the harm check quarantines the text, it changes the status instead. Returns false if the
-- lease was lost. Called by the worker ('annotate').
create or replace function memory_api.annotate_memory(
    bank text, memory uuid, token uuid, lane integer, fields jsonb, to_status text, reason text,
    at timestamptz default now())
returns boolean
language plpgsql as $$
declare
    extracted memory.episodic_memory;
begin
    perform memory_internal.enter_bank(bank);
    if not memory_internal.lock_lease(bank, 'annotate', memory::text, token) then
        return false;
    end if;
    extracted := jsonb_populate_record(null::memory.episodic_memory, fields);
    update memory.episodic_memory e
       set importance = f.importance,
           emotional_valence = f.valence,
           emotions = case when e.version = 1 and e.given ? 'emotions' then e.emotions else extracted.emotions end,
           topics = case when e.version = 1 and e.given ? 'topics' then e.topics else extracted.topics end,
           entities = case when e.version = 1 and e.given ? 'entities' then e.entities else extracted.entities end,
           lesson = case when e.given ? 'lesson' or e.given -> 'changed' ? 'lesson' then e.lesson
                         else extracted.lesson end,
           importance_features = extracted.importance_features,
           candidate_facts = extracted.candidate_facts,
           extracted_by = extracted.extracted_by,
           landmark = memory_internal.is_landmark(f.valence, f.importance, l.landmark_valence, l.landmark_importance)
      from memory_api.bank_limits(bank) as l
     cross join lateral (
        select case when g.given ? 'importance' or g.given -> 'changed' ? 'importance' then g.importance
                    else extracted.importance end as importance,
               case when g.version = 1 and g.given ? 'valence' then g.emotional_valence
                    else extracted.emotional_valence end as valence
          from memory.episodic_memory g
         where g.bank_id = bank and g.memory_id = memory) as f
     where e.bank_id = bank and e.memory_id = memory;
    if to_status = 'pending_embedding' then
        perform memory_internal.enqueue_work(bank, 'embed', memory::text, lane, at, at);
    else
        perform memory_internal.set_episode_status(bank, memory, array['pending_embedding'], to_status, reason,
                                                   'worker', at);
        update memory.gate_decision d
           set outcome = to_status, reason = annotate_memory.reason, decided_by = extracted.extracted_by, decided_at = at
         where d.bank_id = bank and d.memory_id = memory;
    end if;
    perform memory_api.complete_work(bank, 'annotate', memory::text, token, null, at);
    return true;
end $$;

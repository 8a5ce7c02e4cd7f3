-- Applies `changes` to an episode (update_memory); `changed_fields` are those that differ. The importance becomes that
-- of the episode's evidence. The fields that were set are not extracted again. Raises ME015 for new content of a
-- summary, or of an episode that is deprecated or in quarantine. The caller holds the bank lock and the row.
create or replace function memory_internal.update_episode(
    bank text, memory uuid, changes jsonb, changed_fields text[], actor text, decision jsonb, at timestamptz)
returns void
language plpgsql as $$
declare
    episode memory.episodic_memory;
begin
    perform memory_internal.enter_bank(bank);
    select e.* into episode from memory.episodic_memory e where e.bank_id = bank and e.memory_id = memory;
    if 'content' = any (changed_fields) then
        if episode.summarizes is not null or episode.status not in ('pending_embedding', 'active', 'archived', 'failed') then
            raise exception using errcode = 'ME015',
                message = case when episode.summarizes is null then episode.status else 'a summary' end;
        end if;
        perform memory_internal.record_decision(bank, decision, memory, episode.conversation_id, at);
        perform memory_internal.replace_content(bank, memory, changes ->> 'content', actor, at);
    end if;
    update memory.episodic_memory e
       set tags = case when changes ? 'tags' then array(select jsonb_array_elements_text(changes -> 'tags')) else e.tags end,
           metadata = coalesce(changes -> 'metadata', e.metadata),
           importance = coalesce((changes ->> 'importance')::double precision, e.importance),
           lesson = case when changes ? 'lesson' then nullif(changes ->> 'lesson', '') else e.lesson end,
           landmark = case when changes ? 'importance' then memory_internal.is_landmark(
                               e.emotional_valence, (changes ->> 'importance')::double precision, l.landmark_valence,
                               l.landmark_importance)
                           else e.landmark end,
           given = memory_internal.with_changed(e.given, changes)
      from memory_api.bank_limits(bank) as l
     where e.bank_id = bank and e.memory_id = memory;
    if 'lesson' = any (changed_fields) then
        perform memory_internal.withdraw_procedure_evidence(
            bank, array[memory], array['lesson'], 'lesson of ' || memory || ' changed', update_episode.actor, at);
    end if;
    if 'importance' = any (changed_fields) then
        update memory.fact_evidence v
           set importance = (changes ->> 'importance')::double precision
         where v.bank_id = bank and v.episode_id = memory;
        perform memory_internal.refresh_facts(
            bank, array(select v.fact_id from memory.fact_evidence v where v.bank_id = bank and v.episode_id = memory),
            'importance of ' || memory || ' changed', update_episode.actor, at);
    end if;
end $$;

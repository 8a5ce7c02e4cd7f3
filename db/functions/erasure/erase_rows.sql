-- Deletes what an erasure selects and all that was derived from it, and writes its ledger. Returns the ids deleted, by
-- kind, and whether there was anything to erase. Called by erase, which holds the bank lock.
-- Work first: workers write only while they hold their lease, so that waiting for these rows waits for those that are
-- writing, and no later write of theirs has an effect. Workers that read messages of these conversations as context,
-- for other segments, lose their leases as well and read again.
create or replace function memory_internal.erase_rows(
    bank text, scope text, selector jsonb, erasure uuid, actor text, at timestamptz,
    out items jsonb, out erased boolean)
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    reason constant text := 'erasure ' || erasure;
    chosen record;
    episodes uuid[];
    segments uuid[];
    conversations text[];
    gone_conversations text[];
    facts uuid[];
    procedures uuid[];
    stated uuid[];
    norms uuid[];
    observed boolean;
    gone uuid[];
begin
    perform memory_internal.enter_bank(bank);
    select * into chosen from memory_internal.erasure_selection(bank, scope, selector);
    segments := array(select distinct m.segment_id from memory.message m
                       where m.bank_id = bank and m.message_id = any (chosen.messages) and m.segment_id is not null);
    conversations := array(select distinct m.conversation_id from memory.message m
                            where m.bank_id = bank and m.message_id = any (chosen.messages)
                            union
                           select e.conversation_id from memory.episodic_memory e
                            where e.bank_id = bank and e.memory_id = any (chosen.episodes) and e.conversation_id is not null
                            union
                           select selector ->> 'conversation_id' where selector ? 'conversation_id');
    perform memory_internal.overtake_work(bank, conversations, segments);
    -- Again: a worker may have completed an extraction meanwhile.
    select * into chosen from memory_internal.erasure_selection(bank, scope, selector);
    segments := segments || array(
        select e.segment_id from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = any (chosen.episodes) and e.segment_id is not null);
    episodes := chosen.episodes || memory_internal.erase_summaries(bank, chosen.episodes, at);
    perform memory_internal.remove_work(
        bank, array['extract', 'annotate', 'embed', 'facts', 'procedures'], (segments || episodes)::text[]);
    perform memory_internal.release_duplicates(bank, episodes, at);

    stated := array(select v.norm_id from memory.relational_evidence v
                     where v.bank_id = bank and v.episode_id = any (episodes)
                     union
                    select v.norm_id from memory.relational_version v
                     where v.bank_id = bank
                       and v.reason = any (array(select 'lifted in ' || one from unnest(episodes) as one)));
    observed := exists (select from memory.episodic_memory e
                         where e.bank_id = bank and e.memory_id = any (episodes) and e.observed_at is not null);
    delete from memory.relational_evidence v where v.bank_id = bank and v.episode_id = any (episodes);
    facts := memory_internal.erase_facts(bank, episodes, segments, chosen.facts, reason, actor, at);
    procedures := memory_internal.erase_procedures(bank, episodes, chosen.procedures, reason, actor, at);

    -- index_episode_words removes the words of rows that are not recallable and links their neighbours.
    update memory.episodic_memory e set status = 'deprecated' where e.bank_id = bank and e.memory_id = any (episodes);
    perform memory_internal.index_episode_words(bank, episodes);
    perform memory_internal.update_thread(bank, episodes);
    perform memory_internal.remove_derived_rows(bank, episodes);
    delete from memory.memory_entity n where n.bank_id = bank and n.memory_id = any (episodes);
    delete from memory.watermark w where w.bank_id = bank and w.memory_id = any (episodes);
    delete from memory.episodic_memory e where e.bank_id = bank and e.memory_id = any (episodes);
    delete from memory.person p
     where p.bank_id = bank
       and not exists (select from memory.memory_text t where t.bank_id = bank and p.name = any (t.speakers));
    norms := memory_internal.erase_norms(bank, stated, chosen.norms, observed, at);

    delete from memory.gate_decision d
     where d.bank_id = bank
       and (d.memory_id = any (episodes || facts || procedures) or d.segment_id = any (segments)
            or d.message_ids && chosen.messages);
    delete from memory.message m where m.bank_id = bank and m.message_id = any (chosen.messages);
    gone_conversations := array(
        select c.id from unnest(conversations) as c (id)
         where not exists (select from memory.message m where m.bank_id = bank and m.conversation_id = c.id)
           and not exists (select from memory.episodic_memory e where e.bank_id = bank and e.conversation_id = c.id));
    delete from memory.conversation c where c.bank_id = bank and c.conversation_id = any (gone_conversations);
    perform memory_internal.remove_work(bank, array['segment'], gone_conversations);
    -- Positions are assigned again from the highest that is left; none may be below the watermark of segmentation. The
    -- agent is that of the first message.
    update memory.conversation c
       set segmented_through = least(c.segmented_through, coalesce((
               select max(m.position) from memory.message m
                where m.bank_id = bank and m.conversation_id = c.conversation_id), 0)),
           agent_id = case when c.agent_id is not null
                           then (select m.agent_id from memory.message m
                                  where m.bank_id = bank and m.conversation_id = c.conversation_id
                                  order by m.position
                                  limit 1) end
     where c.bank_id = bank and c.conversation_id = any (conversations);
    delete from memory.fact_mention m where m.bank_id = bank and m.conversation_id = any (gone_conversations);
    erased := found;
    erased := memory_internal.erase_notes(bank, scope, selector) or erased;

    gone := episodes || facts || procedures;
    perform memory_internal.erase_records(bank, gone || norms, chosen.traces, at);
    update memory.memory_event v set reason = 'erased', detail = '{}' where v.bank_id = bank and v.memory_id = any (gone);
    insert into memory.memory_event (bank_id, memory_id, memory_type, event, reason, actor, at)
    select bank, g.memory_id, g.memory_type, 'deleted', reason, actor, at
      from (select unnest(episodes) as memory_id, 'episodic' as memory_type
             union all select unnest(facts), 'semantic'
             union all select unnest(procedures), 'procedural') as g
     where exists (select from memory.memory_event v where v.bank_id = bank and v.memory_id = g.memory_id);
    insert into memory.erased_item (bank_id, erasure_id, kind, id_hash)
    select distinct bank, erasure, i.kind, memory_internal.erased_id_hash(i.kind, i.id)
      from (select 'memory' as kind, unnest(gone)::text as id
             union all select 'norm', unnest(norms)::text
             union all select 'message', unnest(chosen.messages)::text
             union all select 'conversation', unnest(gone_conversations)) as i;
    perform memory_internal.mark_bank_due(bank, 0, at);
    erased := erased or gone || norms || chosen.messages || chosen.traces <> '{}';
    items := jsonb_build_object(
        'episodes', to_jsonb(episodes), 'facts', to_jsonb(facts), 'procedures', to_jsonb(procedures),
        'norms', to_jsonb(norms), 'messages', to_jsonb(chosen.messages), 'conversations', to_jsonb(gone_conversations));
end $$;

-- Removes the evidence that these episodes are, and the facts in `facts`, and returns the ids of the facts deleted. A
-- fact stays on other evidence, or on its commit, and is computed again by rebuild_timeline:
--   merges     of touched facts are undone first (undo_merges, return_commits)
--   wording    that of the earliest statement that stays (choose_wordings); if it cannot be determined, the fact is
--              deleted and the candidates of its other episodes are written again by the worker
--   labels     that only erased statements gave it are removed (erase_labels)
--   versions   with other words, conflicts, pairs and questions of a fact with other words are deleted
--   decisions  of conflicts that have lost their ground are withdrawn (withdraw_decisions), others made again
--              (decide_again)
-- Called by erase_rows. The caller holds the bank lock.
create or replace function memory_internal.erase_facts(
    bank text, episodes uuid[], segments uuid[], facts uuid[], reason text, actor text, at timestamptz)
returns uuid[]
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    model text;
    touched uuid[];
    timelines text[];
    this_timeline text;
    counterparts uuid[];
    this_value record;
    removed uuid[] := facts;
    reworded uuid[] := '{}';
    again uuid[] := '{}';
    merged uuid[];
    dropped uuid[];
    lost memory.fact_judgement[];
    opposites jsonb;  -- by timeline the attribute that says the opposite
begin
    perform memory_internal.enter_bank(bank);
    select b.embedding_model into model from memory.bank b where b.bank_id = bank;
    -- Stated by a former content of these episodes: only the reasons of the versions still name them.
    dropped := array(
        select f.memory_id
          from memory.semantic_memory f
         where f.bank_id = bank and f.extracted_by is not null and f.status = 'deprecated'
           and not exists (select from memory.fact_evidence v where v.bank_id = bank and v.fact_id = f.memory_id)
           and exists (select from memory.fact_version v
                         join unnest(episodes) as e (id) on position(e.id::text in v.reason) > 0
                        where v.bank_id = bank and v.fact_id = f.memory_id));
    touched := memory_internal.undo_merges(bank, episodes, facts || dropped, actor, at);
    timelines := array(
        select distinct t
          from unnest(memory_internal.timelines_of(bank, touched)
                      || memory_internal.withdraw_endings(bank, facts)) as t
         order by 1);
    perform memory_internal.return_commits(bank, timelines, facts);
    again := array(
        select v.episode_id from memory.fact_evidence v
         where v.bank_id = bank and v.fact_id = any (facts) and v.episode_id <> all (episodes));
    counterparts := array(
        select case when c.one_id = any (touched) then c.other_id else c.one_id end
          from memory.fact_conflict c
         where c.bank_id = bank and (c.one_id = any (touched) or c.other_id = any (touched)));

    for this_value in
        select w.* from memory_internal.choose_wordings(bank, timelines, touched, episodes) as w
    loop
        if this_value.wording is null then
            removed := removed || this_value.members;
            again := again || array(
                select v.episode_id from memory.fact_evidence v
                 where v.bank_id = bank and v.fact_id = any (this_value.members) and v.episode_id <> all (episodes));
        else
            with changed as (
                update memory.semantic_memory f
                   set fact = this_value.wording, fingerprint = memory_internal.text_fingerprint(this_value.wording)
                 where f.bank_id = bank and f.memory_id = any (this_value.members) and f.fact <> this_value.wording
                   and f.memory_id <> all (facts)
                returning f.memory_id
            )
            select reworded || array_agg(c.memory_id) into reworded from changed c;
        end if;
    end loop;
    delete from memory.fact_evidence v where v.bank_id = bank and v.episode_id = any (episodes);
    -- Rows without any statement: unsupported, or merged by their timeline.
    removed := removed || array(
        select f.memory_id
          from memory.semantic_memory f
         where f.bank_id = bank and f.timeline = any (timelines)
           and (f.memory_id = any (facts) or f.extracted_by is not null or not f.given ? 'type')
           and not exists (select from memory.fact_evidence v where v.bank_id = bank and v.fact_id = f.memory_id)
           and not exists (select from memory.fact_judgement j
                            where j.bank_id = bank and j.fact_id = f.memory_id and j.judgement = 'committed'));
    removed := array(select distinct r from unnest(removed) as r order by 1);
    perform memory_internal.delete_facts(bank, removed);
    reworded := array(select r from unnest(reworded) as r where r is not null and r <> all (removed));
    perform memory_internal.separate_facts(bank, reworded, reworded => true);
    if reworded <> '{}' then
        perform memory_internal.index_fact_words(bank, reworded);
        -- A worker may hold a vector of the former words.
        perform memory_internal.remove_work(bank, array['facts'], reworded::text[]);
        perform memory_internal.enqueue_new(
            bank, 'facts', reworded::text[], array_fill(0, array[cardinality(reworded)]), at);
    end if;
    delete from memory.fact_version v
     using memory.semantic_memory f
     where v.bank_id = bank and f.bank_id = bank and f.memory_id = v.fact_id and f.timeline = any (timelines)
       and v.fact <> f.fact;
    perform memory_internal.erase_labels(
        bank, removed || array(select f.memory_id from memory.semantic_memory f
                                where f.bank_id = bank and f.timeline = any (timelines)));
    select d.timelines, d.lost into timelines, lost
      from memory_internal.withdraw_decisions(bank, segments, removed, timelines) as d;
    opposites := (
        select jsonb_object_agg(f.timeline, o.attribute)
          from memory.fact_conflict c
          join memory.semantic_memory f on f.bank_id = bank and f.memory_id in (c.one_id, c.other_id)
          join memory.semantic_memory o
            on o.bank_id = bank and o.memory_id = case when c.one_id = f.memory_id then c.other_id else c.one_id end
         where c.bank_id = bank and c.rule = 'opposites' and f.timeline = any (timelines)
           and f.attribute <> o.attribute and lower(f.value) = lower(o.value));
    perform memory_internal.rebuild_timelines(bank, timelines, reason, actor, at);
    perform memory_internal.decide_again(bank, lost, reason, actor, at);
    foreach this_timeline in array timelines loop
        perform memory_internal.find_conflicts(bank, model, this_timeline, opposites ->> this_timeline, at);
    end loop;
    -- Rows that their timeline has merged now hold nothing.
    merged := array(
        select f.memory_id
          from memory.semantic_memory f
         where f.bank_id = bank and f.timeline = any (timelines) and f.status = 'merged_into'
           and f.extracted_by is not null
           and not exists (select from memory.fact_merge m
                            where m.bank_id = bank and m.loser_id = f.memory_id and m.undone_at is null)
         order by f.memory_id);
    update memory.fact_judgement j
       set rival_id = f.merged_into_id
      from memory.semantic_memory f
     where j.bank_id = bank and j.rival_id = any (merged) and f.bank_id = bank and f.memory_id = j.rival_id;
    perform memory_internal.delete_facts(bank, merged);
    removed := removed || merged;
    perform memory_internal.refresh_facts(bank, counterparts, reason, actor, at);
    again := array(select distinct a from unnest(again) as a order by 1);
    update memory.episodic_memory e
       set consolidated_at = null
     where e.bank_id = bank and e.memory_id = any (again) and e.status in ('active', 'archived');
    perform memory_internal.enqueue_statements(bank, 'facts', again, at);
    return removed;
end $$;

-- Removes the evidence that these episodes are, and the facts in `facts`, and returns the ids of the facts deleted. A
-- fact stays on other evidence, or on its commit, and is computed again by rebuild_timeline:
--   merges     of touched facts are undone first, so that each fact has its own evidence; the nightly run merges again
--   wording    that of the earliest statement. If that statement is erased, or the text is not in its candidate facts
--              (drawn from a group of episodes), the wording of the earliest statement that stays replaces it; if that
--              cannot be determined, the fact is deleted and the candidates of its other episodes are written again by
--              the worker
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
    merge memory.fact_merge;
    timelines text[];
    this_timeline text;
    counterparts uuid[];
    this_value record;
    source record;
    new_text text;
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
    loop
        touched := facts || array(
            select distinct v.fact_id from memory.fact_evidence v
             where v.bank_id = bank and v.episode_id = any (episodes)) || dropped;
        -- A merge whose winner was not merged itself, as unmerge_fact requires.
        select m.* into merge
          from memory.fact_merge m
         where m.bank_id = bank and m.undone_at is null
           and (m.loser_id = any (touched) or m.winner_id = any (touched) or m.episodes && erase_facts.episodes)
           and not exists (select from memory.fact_merge above
                            where above.bank_id = bank and above.loser_id = m.winner_id and above.undone_at is null)
         order by m.merge_id desc
         limit 1;
        if not found then
            -- Of a chain of merges the last one is undone first.
            select above.* into merge
              from memory.fact_merge m
              join memory.fact_merge above
                on above.bank_id = bank and above.loser_id = m.winner_id and above.undone_at is null
             where m.bank_id = bank and m.undone_at is null
               and (m.loser_id = any (touched) or m.winner_id = any (touched) or m.episodes && erase_facts.episodes)
             order by above.merge_id desc
             limit 1;
        end if;
        exit when not found;
        perform from memory_api.unmerge_fact(bank, merge.loser_id, actor, at);
        delete from memory.fact_merge m where m.bank_id = bank and m.merge_id = merge.merge_id;
        delete from memory.watermark w
         where w.bank_id = bank and w.pass = 'merge' and w.memory_id in (merge.loser_id, merge.winner_id);
    end loop;
    timelines := array(
        select distinct f.timeline from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id = any (touched) order by 1);
    -- Commits that their timeline merged get their own row back, without the statements of others, or are deleted;
    -- rebuild_timeline merges them again. A commit and its row have the same recorded_at.
    with own as materialized (
        select j.judgement_id, c.memory_id, c.memory_id = any (facts) as erased
          from memory.semantic_memory c
          join memory.semantic_memory h on h.bank_id = bank and h.timeline = c.timeline
          join memory.fact_judgement j on j.bank_id = bank and j.fact_id = h.memory_id
         where c.bank_id = bank and c.timeline = any (timelines) and c.extracted_by is null
           and j.judgement = 'committed' and j.recorded_at = c.recorded_at
           and (c.memory_id = any (facts) or h.retracted_at is null)
           and not exists (select from memory.fact_merge m
                            where m.bank_id = bank and m.loser_id = c.memory_id and m.undone_at is null)
    ),
    erased as (
        delete from memory.fact_judgement j
         using own
         where j.bank_id = bank and j.judgement_id = own.judgement_id and own.erased
    ),
    returned as (
        update memory.fact_judgement j
           set fact_id = own.memory_id
          from own
         where j.bank_id = bank and j.judgement_id = own.judgement_id and not own.erased and j.fact_id <> own.memory_id
    )
    update memory.semantic_memory f
       set status = case when f.status = 'merged_into' then 'tentative' else f.status end, merged_into_id = null,
           importance = case when f.given -> 'changed' ? 'importance' then f.importance
                             else coalesce((select v.importance from memory.fact_version v
                                             where v.bank_id = bank and v.fact_id = f.memory_id
                                             order by v.version limit 1), f.importance) end
      from own
     where f.bank_id = bank and f.memory_id = own.memory_id and not own.erased;
    again := array(
        select v.episode_id from memory.fact_evidence v
         where v.bank_id = bank and v.fact_id = any (facts) and v.episode_id <> all (episodes));
    counterparts := array(
        select case when c.one_id = any (touched) then c.other_id else c.one_id end
          from memory.fact_conflict c
         where c.bank_id = bank and (c.one_id = any (touched) or c.other_id = any (touched)));

    -- By value: the earliest statement has the wording of all periods.
    for this_value in
        select f.timeline, lower(f.value) as value, array_agg(f.memory_id) as members,
               min(f.fact) filter (where exists (
                   select from memory.fact_judgement j
                    where j.bank_id = bank and j.fact_id = f.memory_id and j.judgement = 'committed'
                      and j.recorded_at = f.recorded_at)) as committed_text
          from memory.semantic_memory f
         where f.bank_id = bank and f.timeline = any (timelines)
         group by f.timeline, lower(f.value)
        having array_agg(f.memory_id) && touched
    loop
        select v.episode_id, e.candidate_facts, v.episode_id = any (episodes) as erased, f.fact, f.fingerprint, f.attribute
          into source
          from memory.fact_evidence v
          join memory.semantic_memory f on f.bank_id = bank and f.memory_id = v.fact_id
          left join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.episode_id
         where v.bank_id = bank and v.fact_id = any (this_value.members)
         order by not v.holds, v.occurred_at, v.episode_id
         limit 1;
        if this_value.committed_text is not null then
            new_text := this_value.committed_text;
        elsif not coalesce(source.erased, true)
              and source.candidate_facts @> jsonb_build_array(jsonb_build_object('text', source.fact)) then
            new_text := source.fact;
        else
            -- The first candidate that states the same, of the earliest episode that stays.
            select c.text into new_text
              from (select v.episode_id, e.candidate_facts, f.fact, f.fingerprint, f.attribute
                      from memory.fact_evidence v
                      join memory.semantic_memory f on f.bank_id = bank and f.memory_id = v.fact_id
                      join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.episode_id
                     where v.bank_id = bank and v.fact_id = any (this_value.members) and v.episode_id <> all (episodes)
                     order by not v.holds, v.occurred_at, v.episode_id
                     limit 1) as first
             cross join lateral jsonb_array_elements(first.candidate_facts) with ordinality as given (candidate, place)
             cross join lateral jsonb_to_record(given.candidate) as c (text text, attribute text, value text)
             where memory_internal.text_fingerprint(c.text) = first.fingerprint
                or lower(c.attribute) = first.attribute and lower(c.value) = this_value.value
                -- Under another name than the canonical one of the attribute: the only candidate with that value.
                or lower(c.value) = this_value.value
                   and (select count(*) from jsonb_array_elements(first.candidate_facts) as o
                         where lower(o ->> 'value') = this_value.value) = 1
                or memory_api.text_difference(first.fact, c.text) is null
             order by given.place
             limit 1;
            if not found then
                new_text := null;
            end if;
        end if;
        if new_text is null then
            removed := removed || this_value.members;
            again := again || array(
                select v.episode_id from memory.fact_evidence v
                 where v.bank_id = bank and v.fact_id = any (this_value.members) and v.episode_id <> all (episodes));
        else
            with changed as (
                update memory.semantic_memory f
                   set fact = new_text, fingerprint = memory_internal.text_fingerprint(new_text)
                 where f.bank_id = bank and f.memory_id = any (this_value.members) and f.fact <> new_text
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
    update memory.semantic_memory f
       set tags = array(select t from unnest(f.tags) as t
                         where f.extracted_by is null and coalesce(f.given -> 'tags' ? t, true)
                            or exists (select from memory.fact_evidence v
                                         join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.episode_id
                                        where v.bank_id = bank and v.fact_id = f.memory_id and t = any (e.tags))),
           recipients = array(select r from unnest(f.recipients) as r
                               where f.extracted_by is null and coalesce(f.given -> 'recipients' ? r, true)
                                  or exists (select from memory.fact_evidence v
                                               join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.episode_id
                                              where v.bank_id = bank and v.fact_id = f.memory_id and r = any (e.recipients)))
     where f.bank_id = bank and f.timeline = any (timelines) and (f.tags <> '{}' or f.recipients <> '{}')
       and not coalesce(f.given -> 'changed' ? 'tags', false);
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
    foreach this_timeline in array timelines loop
        perform memory_internal.rebuild_timeline(bank, this_timeline, reason, actor, at);
    end loop;
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
    perform memory_internal.enqueue_facts(bank, again, at);
    return removed;
end $$;

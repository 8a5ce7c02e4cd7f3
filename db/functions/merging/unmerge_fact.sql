-- Undoes a merge by merge_facts: the fact gets back its evidence, judgements, tags and recipients, in whichever of
-- the winner's periods they are by now, and is tentative again. Evidence added since stays with the winner, and the
-- two are never merged again. Returns the fact, or no row if it does not exist; a fact that is not merged is
-- returned unchanged. Raises ME007 if the merge was made by rebuild_timeline, or if the winner was itself merged
-- since, which has to be undone first. Called by POST /facts/{id}/unmerge. Takes the bank lock, then both rows in
-- the order of their ids.
create or replace function memory_api.unmerge_fact(bank text, memory uuid, actor text, at timestamptz default now())
returns setof memory_api.fact_entry
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    merge memory.fact_merge;
    next_winner uuid;
    loser memory.semantic_memory;
    periods uuid[];
    moves_pins boolean;
    former_timelines text[];
    sibling bigint;
    later_merge bigint;
begin
    perform memory_internal.lock_bank(bank);
    select f.* into loser from memory.semantic_memory f where f.bank_id = bank and f.memory_id = memory;
    if not found then
        return;
    end if;
    select m.* into merge
      from memory.fact_merge m
     where m.bank_id = bank and m.loser_id = memory and m.undone_at is null;
    if not found then
        if loser.status = 'merged_into' then
            raise exception using errcode = 'ME007',
                message = 'merged into ' || loser.merged_into_id || ' by its timeline';
        end if;
        return query select * from memory_api.read_fact(bank, memory, at);
        return;
    end if;
    select m.winner_id into next_winner
      from memory.fact_merge m
     where m.bank_id = bank and m.loser_id = merge.winner_id and m.undone_at is null;
    if found then
        raise exception using errcode = 'ME007',
            message = merge.winner_id || ' was merged into ' || next_winner || ' since: undo that first';
    end if;
    perform from memory.semantic_memory f
      where f.bank_id = bank and f.memory_id in (memory, merge.winner_id)
      order by f.memory_id
        for no key update;
    periods := memory_internal.fact_periods(bank, merge.winner_id);
    former_timelines := memory_internal.timelines_of(bank, array[memory, merge.winner_id]);
    select bool_or(j.judgement in ('pinned', 'unpinned')) into moves_pins
      from memory.fact_judgement j
     where j.bank_id = bank and j.judgement_id = any (merge.judgements);
    -- Evidence that counts as stated only because of another loser returns as not stated.
    update memory.fact_evidence e
       set fact_id = memory,
           stated = e.stated and not exists (
               select from memory.fact_merge m
                where m.bank_id = bank and m.winner_id = merge.winner_id and m.undone_at is null
                  and m.merge_id <> merge.merge_id and e.episode_id = any (m.stated_episodes))
     where e.bank_id = bank and e.fact_id = any (periods) and e.episode_id = any (merge.episodes);
    update memory.fact_merge m
       set stated_episodes = array(select r from unnest(m.stated_episodes) as r where r <> all (merge.episodes))
     where m.bank_id = bank and m.winner_id = merge.winner_id and m.undone_at is null
       and m.merge_id <> merge.merge_id and m.stated_episodes && merge.episodes;
    update memory.fact_evidence e
       set stated = false
     where e.bank_id = bank and e.fact_id = any (periods) and e.episode_id = any (merge.stated_episodes);
    update memory.fact_judgement j
       set fact_id = memory
     where j.bank_id = bank and j.fact_id = any (periods) and j.judgement_id = any (merge.judgements);
    update memory.semantic_memory w
       set tags = array(
               select t from unnest(w.tags) with ordinality as u (t, nth)
                where t <> all (merge.tags) or exists (
                    select from memory.fact_evidence e
                      join memory.episodic_memory episode on episode.bank_id = bank and episode.memory_id = e.episode_id
                     where e.bank_id = bank and e.fact_id = w.memory_id and t = any (episode.tags))
                order by nth),
           recipients = array(
               select r from unnest(w.recipients) with ordinality as u (r, nth)
                where r <> all (merge.recipients) or exists (
                    select from memory.fact_evidence e
                      join memory.episodic_memory episode on episode.bank_id = bank and episode.memory_id = e.episode_id
                     where e.bank_id = bank and e.fact_id = w.memory_id and r = any (episode.recipients))
                order by nth)
     where w.bank_id = bank and w.memory_id = merge.winner_id
       and (merge.tags <> '{}' or merge.recipients <> '{}');
    -- A given importance is a minimum: reset to it, refresh_facts raises it again where the evidence does.
    update memory.semantic_memory f
       set importance = (f.given ->> 'importance')::double precision
     where f.bank_id = bank and f.memory_id in (memory, merge.winner_id) and f.given ? 'importance'
       and not coalesce(f.given -> 'changed' ? 'importance', false);
    if merge.winner_before is not null then
        -- The winner took subject, attribute and value from this fact: restore its own, unless a later merge replaced
        -- them.
        select m.merge_id into later_merge
          from memory.fact_merge m
         where m.bank_id = bank and m.winner_id = merge.winner_id and m.undone_at is null
           and m.merge_id > merge.merge_id and m.winner_before is not null
         order by m.merge_id
         limit 1;
        if found then
            update memory.fact_merge m
               set winner_before = merge.winner_before
             where m.bank_id = bank and m.merge_id = later_merge;
        else
            update memory.fact_evidence e
               set fact_id = merge.winner_id
             where e.bank_id = bank and e.fact_id = any (periods)
               and e.episode_id in (select id::uuid from jsonb_array_elements_text(merge.winner_before -> 'episodes') as id);
            update memory.fact_judgement j
               set fact_id = merge.winner_id
             where j.bank_id = bank and j.fact_id = any (periods)
               and j.judgement_id in (select id::bigint
                                        from jsonb_array_elements_text(merge.winner_before -> 'judgements') as id);
            update memory.semantic_memory w
               set subject = merge.winner_before ->> 'subject', attribute = merge.winner_before ->> 'attribute',
                   value = merge.winner_before ->> 'value', cardinality = merge.winner_before ->> 'cardinality',
                   timeline = merge.winner_before ->> 'timeline'
             where w.bank_id = bank and w.memory_id = merge.winner_id;
        end if;
    end if;
    update memory.semantic_memory f
       set status = 'tentative', merged_into_id = null
     where f.bank_id = bank and f.memory_id = memory;
    update memory.fact_merge m
       set undone_at = unmerge_fact.at, undone_by = unmerge_fact.actor
     where m.bank_id = bank and m.merge_id = merge.merge_id;
    -- The other losers may share evidence with this one that has just left the winner.
    for sibling in
        select m.merge_id
          from memory.fact_merge m
         where m.bank_id = bank and m.winner_id = merge.winner_id and m.undone_at is null
         order by m.merge_id
    loop
        perform memory_internal.transfer_evidence(bank, sibling);
    end loop;
    if moves_pins then
        perform memory_internal.apply_pins(bank, array[memory, merge.winner_id]);
    end if;
    perform memory_internal.rebuild_timelines(
        bank, former_timelines || memory_internal.timelines_of(bank, array[memory, merge.winner_id]), 'unmerged',
        unmerge_fact.actor, unmerge_fact.at);
    perform memory_internal.mark_bank_due(bank, 0, at);
    return query select * from memory_api.read_fact(bank, memory, at);
end $$;

-- Undoes that a fact was merged into another by memory_api.merge_facts: it gets back what was said of it, wherever among the
-- winner's periods that is by now, and stands for itself again. What was said since stays the winner's, and the two are not
-- merged again. The answer is the fact as it is then, or no row where there is none; one that is not merged stays as it is.
-- What its timeline made of it cannot be undone, nor what was merged into a fact that was merged on (ME007): that comes first.
create or replace function memory_api.unmerge_fact(bank text, memory uuid, actor text, at timestamptz default now())
returns setof memory_api.fact_entry
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    merge memory.fact_merge;
    onward uuid;
    known memory.semantic_memory;
    periods uuid[];
    pins boolean;
    lines text[];
    line text;
    sibling bigint;
    later bigint;
begin
    perform memory_internal.require_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    select f.* into known from memory.semantic_memory f where f.bank_id = bank and f.memory_id = memory;
    if not found then
        return;
    end if;
    select m.* into merge
      from memory.fact_merge m
     where m.bank_id = bank and m.loser_id = memory and m.undone_at is null;
    if not found then
        if known.status = 'merged_into' then
            raise exception using errcode = 'ME007',
                message = 'merged into ' || known.merged_into_id || ' by what was said';
        end if;
        return query select * from memory_api.read_fact(bank, memory, at);
        return;
    end if;
    select m.winner_id into onward
      from memory.fact_merge m
     where m.bank_id = bank and m.loser_id = merge.winner_id and m.undone_at is null;
    if found then
        raise exception using errcode = 'ME007',
            message = merge.winner_id || ' was merged into ' || onward || ' since: undo that first';
    end if;
    perform from memory.semantic_memory f
      where f.bank_id = bank and f.memory_id in (memory, merge.winner_id)
      order by f.memory_id
        for no key update;
    periods := memory_internal.fact_periods(bank, merge.winner_id);
    lines := array(select distinct f.timeline from memory.semantic_memory f
                    where f.bank_id = bank and f.memory_id in (memory, merge.winner_id));
    select bool_or(j.verdict in ('pinned', 'unpinned')) into pins
      from memory.fact_judgement j
     where j.bank_id = bank and j.judgement_id = any (merge.judgements);
    -- What it brought, and counted as stated only because of another that was merged into the winner, goes as it came.
    update memory.fact_evidence e
       set fact_id = memory,
           stated = e.stated and not exists (
               select from memory.fact_merge m
                where m.bank_id = bank and m.winner_id = merge.winner_id and m.undone_at is null
                  and m.merge_id <> merge.merge_id and e.episode_id = any (m.raised))
     where e.bank_id = bank and e.fact_id = any (periods) and e.episode_id = any (merge.episodes);
    update memory.fact_merge m
       set raised = array(select r from unnest(m.raised) as r where r <> all (merge.episodes))
     where m.bank_id = bank and m.winner_id = merge.winner_id and m.undone_at is null
       and m.merge_id <> merge.merge_id and m.raised && merge.episodes;
    update memory.fact_evidence e
       set stated = false
     where e.bank_id = bank and e.fact_id = any (periods) and e.episode_id = any (merge.raised);
    update memory.fact_judgement j
       set fact_id = memory
     where j.bank_id = bank and j.fact_id = any (periods) and j.judgement_id = any (merge.judgements);
    update memory.semantic_memory w
       set tags = array(
               select t from unnest(w.tags) with ordinality as u (t, nth)
                where t <> all (merge.tags) or exists (
                    select from memory.fact_evidence e
                      join memory.episodic_memory said on said.bank_id = bank and said.memory_id = e.episode_id
                     where e.bank_id = bank and e.fact_id = w.memory_id and t = any (said.tags))
                order by nth),
           recipients = array(
               select r from unnest(w.recipients) with ordinality as u (r, nth)
                where r <> all (merge.recipients) or exists (
                    select from memory.fact_evidence e
                      join memory.episodic_memory said on said.bank_id = bank and said.memory_id = e.episode_id
                     where e.bank_id = bank and e.fact_id = w.memory_id and r = any (said.recipients))
                order by nth)
     where w.bank_id = bank and w.memory_id = merge.winner_id
       and (merge.tags <> '{}' or merge.recipients <> '{}');
    -- An importance that was given is a floor, and what the merge put on it is worked out anew.
    update memory.semantic_memory f
       set importance = (f.given ->> 'importance')::double precision
     where f.bank_id = bank and f.memory_id in (memory, merge.winner_id) and f.given ? 'importance';
    if merge.winner_was is not null then
        -- What the winner is about it took from this one: it is what it was before, unless it took it from another since.
        select m.merge_id into later
          from memory.fact_merge m
         where m.bank_id = bank and m.winner_id = merge.winner_id and m.undone_at is null
           and m.merge_id > merge.merge_id and m.winner_was is not null
         order by m.merge_id
         limit 1;
        if found then
            update memory.fact_merge m
               set winner_was = merge.winner_was
             where m.bank_id = bank and m.merge_id = later;
        else
            update memory.fact_evidence e
               set fact_id = merge.winner_id
             where e.bank_id = bank and e.fact_id = any (periods)
               and e.episode_id in (select id::uuid from jsonb_array_elements_text(merge.winner_was -> 'episodes') as id);
            update memory.fact_judgement j
               set fact_id = merge.winner_id
             where j.bank_id = bank and j.fact_id = any (periods)
               and j.judgement_id in (select id::bigint
                                        from jsonb_array_elements_text(merge.winner_was -> 'judgements') as id);
            update memory.semantic_memory w
               set subject = merge.winner_was ->> 'subject', attribute = merge.winner_was ->> 'attribute',
                   value = merge.winner_was ->> 'value', cardinality = merge.winner_was ->> 'cardinality',
                   timeline = merge.winner_was ->> 'timeline'
             where w.bank_id = bank and w.memory_id = merge.winner_id;
        end if;
    end if;
    update memory.semantic_memory f
       set status = 'tentative', merged_into_id = null
     where f.bank_id = bank and f.memory_id = memory;
    update memory.fact_merge m
       set undone_at = unmerge_fact.at, undone_by = unmerge_fact.actor
     where m.bank_id = bank and m.merge_id = merge.merge_id;
    -- What the others that were merged into the winner had in common with this one.
    for sibling in
        select m.merge_id
          from memory.fact_merge m
         where m.bank_id = bank and m.winner_id = merge.winner_id and m.undone_at is null
         order by m.merge_id
    loop
        perform memory_internal.transfer_evidence(bank, sibling);
    end loop;
    if pins then
        perform memory_internal.apply_pins(bank, array[memory, merge.winner_id]);
    end if;
    for line in
        select distinct l
          from (select unnest(lines) as l
                 union all
                select f.timeline from memory.semantic_memory f
                 where f.bank_id = bank and f.memory_id in (memory, merge.winner_id)) as touched
         order by l
    loop
        perform memory_internal.rebuild_timeline(bank, line, 'unmerged', unmerge_fact.actor, unmerge_fact.at);
    end loop;
    perform memory_internal.mark_bank_due(bank, 0, at);
    return query select * from memory_api.read_fact(bank, memory, at);
end $$;

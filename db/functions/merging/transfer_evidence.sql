-- Moves a merge loser's evidence, judgements, tags and recipients to the winner and records in fact_merge which
-- these were, so that unmerge_fact can return them. An episode that is evidence of both stays with each, counts once
-- for the winner, and counts as stated if it is for either. Idempotent. The caller holds the bank lock and refreshes
-- the facts.
create or replace function memory_internal.transfer_evidence(bank text, of_merge bigint) returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    merge memory.fact_merge;
    periods uuid[];
    moved_episodes uuid[];
    moved_judgements bigint[];
    raised_episodes uuid[];
    moves_pins boolean;
begin
    perform memory_internal.enter_bank(bank);
    select m.* into merge from memory.fact_merge m where m.bank_id = bank and m.merge_id = of_merge;
    periods := memory_internal.fact_periods(bank, merge.winner_id);
    with transferred as (
        update memory.fact_evidence e
           set fact_id = merge.winner_id
         where e.bank_id = bank and e.fact_id = merge.loser_id
           and not exists (select from memory.fact_evidence k
                            where k.bank_id = bank and k.fact_id = any (periods) and k.episode_id = e.episode_id)
        returning e.episode_id
    )
    select array_agg(t.episode_id order by t.episode_id) into moved_episodes from transferred t;
    with raised_rows as (
        update memory.fact_evidence k
           set stated = true
          from memory.fact_evidence e
         where e.bank_id = bank and e.fact_id = merge.loser_id and e.stated
           and k.bank_id = bank and k.fact_id = any (periods) and k.episode_id = e.episode_id and not k.stated
        returning k.episode_id
    )
    select array_agg(l.episode_id order by l.episode_id) into raised_episodes from raised_rows l;
    with transferred as (
        update memory.fact_judgement j
           set fact_id = merge.winner_id
         where j.bank_id = bank and j.fact_id = merge.loser_id
        returning j.judgement_id, j.judgement
    )
    select array_agg(t.judgement_id order by t.judgement_id), bool_or(t.judgement in ('pinned', 'unpinned'))
      into moved_judgements, moves_pins
      from transferred t;
    if moves_pins then
        perform memory_internal.apply_pins(bank, array[merge.winner_id]);
    end if;
    update memory.fact_merge m
       set episodes = m.episodes || coalesce(moved_episodes, '{}'),
           stated_episodes = m.stated_episodes || coalesce(raised_episodes, '{}'),
           judgements = m.judgements || coalesce(moved_judgements, '{}'),
           tags = m.tags || array(select unnest(l.tags) except select unnest(w.tags) order by 1),
           recipients = m.recipients || array(select unnest(l.recipients) except select unnest(w.recipients) order by 1)
      from memory.semantic_memory l, memory.semantic_memory w
     where m.bank_id = bank and m.merge_id = of_merge
       and l.bank_id = bank and l.memory_id = merge.loser_id and w.bank_id = bank and w.memory_id = merge.winner_id;
    update memory.semantic_memory w
       set tags = w.tags || array(select unnest(l.tags) except select unnest(w.tags) order by 1),
           recipients = w.recipients || array(select unnest(l.recipients) except select unnest(w.recipients) order by 1)
      from memory.semantic_memory l
     where w.bank_id = bank and w.memory_id = merge.winner_id and l.bank_id = bank and l.memory_id = merge.loser_id
       and not (w.tags @> l.tags and w.recipients @> l.recipients);
end $$;

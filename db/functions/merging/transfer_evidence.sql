-- Gives the winner of a merge what was said of its loser: its evidence, each episode once, what was said of it as such, its
-- tags and recipients; and writes down what that was. An episode that speaks of both stays with each and counts for the
-- winner once; it counts as stated where either is. What has gone already stays; so it is safe to repeat. The caller holds
-- the bank's lock and settles the facts.
create or replace function memory_internal.transfer_evidence(bank text, of_merge bigint) returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    merge memory.fact_merge;
    periods uuid[];
    moved uuid[];
    judged bigint[];
    lifted uuid[];
    pins boolean;
begin
    perform memory_internal.enter_bank(bank);
    select m.* into merge from memory.fact_merge m where m.bank_id = bank and m.merge_id = of_merge;
    periods := memory_internal.fact_periods(bank, merge.winner_id);
    with taken as (
        update memory.fact_evidence e
           set fact_id = merge.winner_id
         where e.bank_id = bank and e.fact_id = merge.loser_id
           and not exists (select from memory.fact_evidence k
                            where k.bank_id = bank and k.fact_id = any (periods) and k.episode_id = e.episode_id)
        returning e.episode_id
    )
    select array_agg(t.episode_id order by t.episode_id) into moved from taken t;
    with raising as (
        update memory.fact_evidence k
           set stated = true
          from memory.fact_evidence e
         where e.bank_id = bank and e.fact_id = merge.loser_id and e.stated
           and k.bank_id = bank and k.fact_id = any (periods) and k.episode_id = e.episode_id and not k.stated
        returning k.episode_id
    )
    select array_agg(l.episode_id order by l.episode_id) into lifted from raising l;
    with taken as (
        update memory.fact_judgement j
           set fact_id = merge.winner_id
         where j.bank_id = bank and j.fact_id = merge.loser_id
        returning j.judgement_id, j.verdict
    )
    select array_agg(t.judgement_id order by t.judgement_id), bool_or(t.verdict in ('pinned', 'unpinned'))
      into judged, pins
      from taken t;
    if pins then
        perform memory_internal.apply_pins(bank, array[merge.winner_id]);
    end if;
    update memory.fact_merge m
       set episodes = m.episodes || coalesce(moved, '{}'),
           raised = m.raised || coalesce(lifted, '{}'),
           judgements = m.judgements || coalesce(judged, '{}'),
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

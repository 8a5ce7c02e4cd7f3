-- Finds episodes that state a fact without having been extracted as its evidence and inserts them as evidence:
-- cosine at or above the bank's evidence threshold, one sentence states the fact (states_fact), and the episode lies
-- in the fact's period. Episodes that are already evidence in the fact's timeline, summaries, and retracted or
-- merged facts are left out. Then rebuilds the timelines.
-- Processes up to `most` facts and episodes changed since the pass's watermark; `scanned` is their number: repeat
-- until 0. The pairs are returned in `facts` and `episodes`. Called by the nightly confidence pass. Takes the bank
-- lock unless `dry_run`.
create or replace function memory_api.find_evidence(
    bank text, model text, most integer, at timestamptz default now(), dry_run boolean default false,
    out scanned integer, out facts uuid[], out episodes uuid[])
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    batch constant integer := coalesce(most, 2000000000);  -- null: all of them
    threshold constant double precision := (select t.evidence from memory_api.bank_thresholds(bank, model) as t);
    all_facts uuid[];
    new_facts uuid[];
    new_states text[];
    all_episodes uuid[];
    new_episodes uuid[];
    affected record;
begin
    perform memory_internal.require_bank(bank);
    if not dry_run then
        perform from memory.bank b where b.bank_id = bank for no key update;
    end if;
    select array_agg(f.memory_id), (array_agg(f.memory_id order by f.memory_id) filter (where f.is_new))[:batch],
           (array_agg(f.state order by f.memory_id) filter (where f.is_new))[:batch]
      into all_facts, new_facts, new_states
      from (select s.memory_id, s.state, n.state is distinct from s.state as is_new
              from (select f.memory_id, md5(concat_ws('|', model, threshold, f.fact, f.timeline, f.valid_from, f.valid_to))
                               as state
                      from memory.semantic_memory f
                     where f.bank_id = bank and f.status <> 'merged_into' and f.retracted_at is null) as s
              left join memory.watermark n on n.bank_id = bank and n.pass = 'evidence' and n.memory_id = s.memory_id) as f;
    select array_agg(e.memory_id), (array_agg(e.memory_id order by e.memory_id) filter (where e.is_new))[:batch]
      into all_episodes, new_episodes
      from (select e.memory_id, n.state is distinct from concat_ws('|', model, threshold) as is_new
              from memory.episodic_memory e
              left join memory.watermark n on n.bank_id = bank and n.pass = 'evidence' and n.memory_id = e.memory_id
             where e.bank_id = bank and e.status in ('active', 'archived') and e.summarizes is null
               and e.memory_id not in (select w from memory_internal.episodes_awaiting_facts(bank) as w)) as e;
    scanned := coalesce(cardinality(new_facts), 0) + coalesce(cardinality(new_episodes), 0);
    with similar_pairs as materialized (
        select n.fact_id, n.episode_id
          from memory_internal.similar_episodes(bank, model, new_facts, all_episodes, threshold) as n
         union
        select n.fact_id, n.episode_id
          from memory_internal.similar_episodes(bank, model, all_facts, new_episodes, threshold) as n
    ),
    candidate_pairs as materialized (
        select n.fact_id, n.episode_id, f.fact, e.summary
          from similar_pairs n
         cross join lateral (select * from memory.semantic_memory f
                              where f.bank_id = bank and f.memory_id = n.fact_id offset 0) as f
         cross join lateral (select * from memory.episodic_memory e
                              where e.bank_id = bank and e.memory_id = n.episode_id offset 0) as e
         where e.occurred_at >= f.valid_from and (f.valid_to is null or e.occurred_at < f.valid_to)
           and not exists (
               select from memory.semantic_memory o
                 join memory.fact_evidence k on k.bank_id = bank and k.fact_id = o.memory_id
                where o.bank_id = bank and o.timeline = f.timeline and k.episode_id = n.episode_id)
    )
    select array_agg(o.fact_id order by o.fact_id, o.episode_id), array_agg(o.episode_id order by o.fact_id, o.episode_id)
      into facts, episodes
      from candidate_pairs o
     where exists (select from regexp_split_to_table(o.summary, '(?<=[.!?;])\s+|\n+') as sentence
                    where memory_internal.states_fact(sentence, o.fact));
    if dry_run then
        return;
    end if;
    insert into memory.fact_evidence
        (bank_id, fact_id, episode_id, holds, stated, importance, occurred_at, recorded_at)
    select bank, p.fact_id, p.episode_id, true, false,
           memory_internal.evidence_importance(bank, e.memory_id, e.importance),
           e.occurred_at, find_evidence.at
      from unnest(facts, episodes) as p (fact_id, episode_id)
      join memory.episodic_memory e on e.bank_id = bank and e.memory_id = p.episode_id
    on conflict on constraint fact_evidence_pkey do nothing;
    for affected in
        select f.timeline, array_agg(f.memory_id) as touched
          from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id = any (facts)
         group by f.timeline
         order by f.timeline
    loop
        perform memory_internal.rebuild_timeline(bank, affected.timeline, 'evidence was found', 'night', at,
                                                 affected.touched);
    end loop;
    perform memory_api.set_watermark(bank, 'evidence', new_facts, new_states);
    perform memory_api.set_watermark(
        bank, 'evidence', new_episodes, array(select concat_ws('|', model, threshold) from unnest(new_episodes)));
end $$;

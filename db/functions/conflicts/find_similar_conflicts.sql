-- Finds conflicts that find_conflicts missed when the facts were written: two open facts of one subject with a
-- cosine above the bank's duplicate threshold, confidences above 0.6, and a contradiction_rule. Which one is right
-- is unknown, so both confidences are halved. Skips pairs that were handled before, also under a wording merged
-- since. Returns the pairs. Called by the nightly confidence pass; only facts changed since its watermark are
-- compared. Takes the bank lock unless `dry_run`.
create or replace function memory_api.find_similar_conflicts(
    bank text, model text, at timestamptz default now(), dry_run boolean default false)
returns table (one_id uuid, other_id uuid, rule text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    least_confidence constant double precision := 0.6;
    threshold constant double precision := (select t.duplicate from memory_api.bank_thresholds(bank, model) as t);
    confident uuid[];
    changed uuid[];
    states text[];
    ones uuid[];
    others uuid[];
    rules text[];
begin
    perform memory_internal.require_bank(bank);
    if not dry_run then
        perform from memory.bank b where b.bank_id = bank for no key update;
    end if;
    select array_agg(f.memory_id), array_agg(f.memory_id order by f.memory_id)
               filter (where f.state is distinct from f.recorded_state),
           array_agg(f.state order by f.memory_id) filter (where f.state is distinct from f.recorded_state)
      into confident, changed, states
      from (select f.memory_id, n.state as recorded_state,
                   concat_ws('|', model, threshold,
                             (select max(v.version) from memory.fact_version v
                               where v.bank_id = bank and v.fact_id = f.memory_id)) as state
              from memory.semantic_memory f
              left join memory.watermark n on n.bank_id = bank and n.pass = 'conflict' and n.memory_id = f.memory_id
             where f.bank_id = bank and f.status in ('tentative', 'stable') and f.valid_to is null
               and memory_internal.fact_confidence(f, find_similar_conflicts.at)
                   > least_confidence) as f;
    with pairs as materialized (
        select distinct least(a.memory_id, a.other_id) as one, greatest(a.memory_id, a.other_id) as other, a.similarity
          from memory_internal.similar_facts(bank, model, changed, threshold) as a
         where a.other_id = any (confident)
    ),
    evaluated as materialized (
        select p.one, p.other, max(p.similarity) as similarity,
               memory_internal.contradiction_rule(least(f.fact, o.fact), greatest(f.fact, o.fact)) as rule
          from pairs p
         cross join lateral (select * from memory.semantic_memory f
                              where f.bank_id = bank and f.memory_id = p.one offset 0) as f
         cross join lateral (select * from memory.semantic_memory o
                              where o.bank_id = bank and o.memory_id = p.other offset 0) as o
         where f.timeline <> o.timeline and lower(f.subject) is not distinct from lower(o.subject)
           and not exists (
               select from memory.fact_conflict c
                where c.bank_id = bank
                  and (c.one_id = any (array(select memory_internal.merged_wordings(bank, p.one)))
                       and c.other_id = any (array(select memory_internal.merged_wordings(bank, p.other)))
                       or c.one_id = any (array(select memory_internal.merged_wordings(bank, p.other)))
                       and c.other_id = any (array(select memory_internal.merged_wordings(bank, p.one)))))
         group by p.one, p.other, f.fact, o.fact
    ),
    written as (
        insert into memory.fact_conflict
            (bank_id, one_id, other_id, rule, handling, found_by, similarity, recorded_at)
        select bank, j.one, j.other, j.rule, 'both_halved', 'night', j.similarity, find_similar_conflicts.at
          from evaluated j
         where j.rule is not null and not dry_run
        returning fact_conflict.one_id
    )
    select array_agg(j.one order by j.one, j.other), array_agg(j.other order by j.one, j.other),
           array_agg(j.rule order by j.one, j.other)
      into ones, others, rules
      from evaluated j
     where j.rule is not null;
    if not dry_run then
        if ones is not null then
            perform memory_internal.refresh_facts(bank, ones || others, 'a conflict was found', 'night', at);
            perform memory_internal.create_clarifications(bank, ones || others, at);
        end if;
        perform memory_api.set_watermark(bank, 'conflict', changed, states);
    end if;
    return query select * from unnest(ones, others, rules);
end $$;

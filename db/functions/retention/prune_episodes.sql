-- The storage strategies that a bank turned on (S5), at most `page` episodes a call; the answer is what was deleted, with
-- the near duplicates that went with it:
--   compress_after_years  of what is older only what is above compress_keep_importance (0.7) is kept
--   prune_after_days      what is older and below prune_below_importance (0.3) is deleted
-- Importance is the stored one. Landmarks are kept by both. What is on its way in, in quarantine or failed is left alone.
-- Near duplicates go with what they repeat, so that is kept while one of them is a landmark or too young.
create or replace function memory_api.prune_episodes(
    bank text, page integer default 200, actor text default 'budget', at timestamptz default now())
returns table (memory_id uuid, memory_type text, act text, reason text)
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    own jsonb;
    old record;
begin
    perform memory_internal.enter_bank(bank);
    select b.settings into own from memory.bank b where b.bank_id = bank for no key update;
    for old in
        with recursive s as (
            select at - make_interval(secs => (own ->> 'compress_after_years')::double precision * 365.25 * 86400)
                       as kept_since,
                   coalesce((own ->> 'compress_keep_importance')::double precision, 0.7) as kept_above,
                   at - make_interval(secs => (own ->> 'prune_after_days')::double precision * 86400) as pruned_before,
                   coalesce((own ->> 'prune_below_importance')::double precision, 0.3) as pruned_below
        ),
        repeated as (
            select d.merged_into_id as memory_id, d.occurred_at, d.landmark
              from s
             cross join memory.episodic_memory d
             where d.bank_id = bank and d.merged_into_id is not null
               and (d.landmark or d.occurred_at >= least(s.kept_since, s.pruned_before))
             union
            select d.merged_into_id, r.occurred_at, r.landmark
              from repeated r
              join memory.episodic_memory d on d.bank_id = bank and d.memory_id = r.memory_id
             where d.merged_into_id is not null
        ),
        again as (
            select r.memory_id, max(r.occurred_at) as latest, bool_or(r.landmark) as dear
              from repeated r
             group by r.memory_id
        ),
        outlived as (
            select e.memory_id,
                   case when greatest(e.occurred_at, again.latest) < s.kept_since and e.importance <= s.kept_above
                        then format('older than %s years and not above %s of importance',
                                    own ->> 'compress_after_years', s.kept_above)
                        else format('older than %s days and below %s of importance',
                                    own ->> 'prune_after_days', s.pruned_below) end as why
              from s
             cross join memory.episodic_memory e
              left join again on again.memory_id = e.memory_id
             where e.bank_id = bank and e.status in ('active', 'archived', 'deprecated') and not e.landmark
               and e.occurred_at < greatest(s.kept_since, s.pruned_before)
               and (greatest(e.occurred_at, again.latest) < s.kept_since and e.importance <= s.kept_above
                    or greatest(e.occurred_at, again.latest) < s.pruned_before and e.importance < s.pruned_below)
               and again.dear is not true
             order by e.occurred_at, e.memory_id
             limit page
        )
        select o.why, array_agg(o.memory_id order by o.memory_id) as memories from outlived o group by o.why order by o.why
    loop
        return query
            select d, 'episodic', 'deleted', old.why
              from memory_internal.delete_episodes(bank, old.memories, old.why, prune_episodes.actor, at) as d;
    end loop;
end $$;

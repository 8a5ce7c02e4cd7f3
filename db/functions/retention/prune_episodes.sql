-- Applies the storage strategies that a bank enabled (docs/design.md, "Retention"), to at most `page` episodes per
-- call, and returns the episodes deleted, with their duplicates. Pending, quarantined or failed episodes are unchanged.
-- Duplicates are deleted with the episode they were merged into, which is therefore kept while one of them is a
-- landmark or too young. Takes the bank lock.
create or replace function memory_api.prune_episodes(
    bank text, page integer default 200, actor text default 'budget', at timestamptz default now())
returns table (memory_id uuid, memory_type text, act text, reason text)
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    bank_settings jsonb;
    deletion record;
begin
    perform memory_internal.enter_bank(bank);
    select b.settings into bank_settings from memory.bank b where b.bank_id = bank for no key update;
    for deletion in
        with recursive limits as (
            select at - make_interval(secs => (bank_settings ->> 'compress_after_years')::double precision * 365.25 * 86400)
                       as kept_since,
                   memory_internal.compress_keep_importance(bank_settings) as kept_above,
                   at - make_interval(secs => (bank_settings ->> 'prune_after_days')::double precision * 86400)
                       as pruned_before,
                   memory_internal.prune_below_importance(bank_settings) as pruned_below
        ),
        duplicates as (
            select d.merged_into_id as memory_id, d.occurred_at, d.landmark
              from limits
             cross join memory.episodic_memory d
             where d.bank_id = bank and d.merged_into_id is not null
               and (d.landmark or d.occurred_at >= least(limits.kept_since, limits.pruned_before))
             union
            select d.merged_into_id, r.occurred_at, r.landmark
              from duplicates r
              join memory.episodic_memory d on d.bank_id = bank and d.memory_id = r.memory_id
             where d.merged_into_id is not null
        ),
        newest_duplicate as (
            select r.memory_id, max(r.occurred_at) as latest, bool_or(r.landmark) as has_landmark
              from duplicates r
             group by r.memory_id
        ),
        expired as (
            select e.memory_id,
                   case when greatest(e.occurred_at, newest_duplicate.latest) < limits.kept_since
                       and e.importance <= limits.kept_above
                        then format('older than %s years and not above %s of importance',
                                    bank_settings ->> 'compress_after_years', limits.kept_above)
                        else format('older than %s days and below %s of importance',
                                    bank_settings ->> 'prune_after_days', limits.pruned_below) end as cause
              from limits
             cross join memory.episodic_memory e
              left join newest_duplicate on newest_duplicate.memory_id = e.memory_id
             where e.bank_id = bank and e.status in ('active', 'archived', 'deprecated') and not e.landmark
               and e.occurred_at < greatest(limits.kept_since, limits.pruned_before)
               and (greatest(e.occurred_at, newest_duplicate.latest) < limits.kept_since
                    and e.importance <= limits.kept_above
                    or greatest(e.occurred_at, newest_duplicate.latest) < limits.pruned_before
                        and e.importance < limits.pruned_below)
               and newest_duplicate.has_landmark is not true
             order by e.occurred_at, e.memory_id
             limit page
        )
        select o.cause, array_agg(o.memory_id order by o.memory_id) as memories
          from expired o group by o.cause order by o.cause
    loop
        return query
            select d, 'episodic', 'deleted', deletion.cause
              from memory_internal.delete_episodes(bank, deletion.memories, deletion.cause, prune_episodes.actor, at) as d;
    end loop;
end $$;

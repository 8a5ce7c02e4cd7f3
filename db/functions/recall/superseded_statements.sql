-- Returns, for each of these episodes that states a fact which ended at or before `at`: the fact that ended last,
-- its end, and the fact valid at `at` instead (of the same timeline, or its successor), if any. A retracted fact, which
-- was wrong, counts from its retraction on, without a fact instead. Leaves out episodes whose value is valid (again: a
-- person who moved away and back). `alone`: whether the episode is evidence of no other fact. Called for the episodes
-- that a recall returns or a context may show, in banks where a fact has an end or is retracted; one index probe per
-- episode.
create or replace function memory_api.superseded_statements(
    bank text, episodes uuid[], at timestamptz default now())
returns table (memory_id uuid, fact_id uuid, fact text, since timestamptz, by_id uuid, by_fact text, alone boolean,
              retracted boolean)
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select distinct on (e.episode_id)
               e.episode_id, f.memory_id, f.fact, coalesce(f.retracted_at, f.valid_to), replacement.memory_id, replacement.fact,
               not exists (select from memory.fact_evidence o
                            where o.bank_id = bank and o.episode_id = e.episode_id and o.fact_id <> e.fact_id and o.holds),
               f.retracted_at is not null
          from memory.fact_evidence e
          join memory.semantic_memory f on f.bank_id = e.bank_id and f.memory_id = e.fact_id
          left join lateral (
            select o.memory_id, o.fact
              from memory.semantic_memory o
             where o.bank_id = bank and o.status in ('tentative', 'stable') and o.valid_from <= at
               and (o.valid_to is null or o.valid_to > at)
               and f.retracted_at is null and (o.timeline = f.timeline or o.memory_id = f.superseded_by)
             order by o.timeline = f.timeline desc, o.valid_from desc
             limit 1) as replacement on true
         where e.bank_id = bank and e.episode_id = any (episodes) and e.holds
           and (f.retracted_at <= at or f.retracted_at is null and f.valid_to <= at and f.valid_to > f.valid_from)
           and f.status <> 'merged_into'
           and not exists (
               select from memory.semantic_memory same_value
                where same_value.bank_id = bank and same_value.timeline = f.timeline and same_value.valid_from <= at
                  and (same_value.valid_to is null or same_value.valid_to > at) and same_value.retracted_at is null
                  and same_value.status <> 'merged_into' and lower(same_value.value) is not distinct from lower(f.value))
         order by e.episode_id, coalesce(f.retracted_at, f.valid_to) desc, f.memory_id;
end $$;

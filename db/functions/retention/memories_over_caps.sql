-- Returns the memories above a bank's caps (docs/design.md, "Retention"), those of its settings unless the caller gives
-- others; a verbatim bank has none. Of episodes with equal scores landmarks are kept, then later ones. Of procedures
-- the tentative ones go first, then those with the lowest 0.6 x importance x (0.8 + weight) + 0.4 x recency, pinned
-- ones last. Removing some does not change the order of the rest, so that processing by pages ends in the same state.
create or replace function memory_internal.memories_over_caps(
    bank text, page integer default null, most_active integer default null, most_archived integer default null,
    most_facts integer default null, most_procedures integer default null, at timestamptz default now(),
    default_intake text default null)
returns table (memory_id uuid, memory_type text, act text, reason text)
language plpgsql stable set plan_cache_mode = force_custom_plan as $$
declare
    bank_settings constant jsonb := memory_internal.bank_settings(bank);
begin
    if memory_internal.bank_intake(bank_settings, default_intake) = 'verbatim' then
        return;
    end if;
    most_active := coalesce(most_active, (bank_settings ->> 'most_active')::integer, 1000);
    most_archived := coalesce(most_archived, (bank_settings ->> 'most_archived')::integer, 5000);
    most_facts := coalesce(most_facts, (bank_settings ->> 'most_facts')::integer, 500);
    most_procedures := coalesce(most_procedures, (bank_settings ->> 'procedure_cap')::integer, 200);
    return query
        with scored as materialized (
            select e.memory_id, e.status, e.landmark, e.occurred_at,
                   0.6 * memory_internal.flush_to_zero(e.importance)
                   + 0.4 * memory_internal.recency(e.occurred_at, at) as score
              from memory.episodic_memory e
             where e.bank_id = bank and e.status in ('active', 'archived')
        ),
        active as (
            select s.*, row_number() over (order by s.score desc, s.landmark desc, s.occurred_at desc, s.memory_id desc)
                   as place
              from scored s
             where s.status = 'active'
        ),
        archived as (
            select s.*, row_number() over (order by s.score desc, s.landmark desc, s.occurred_at desc, s.memory_id desc)
                   as place
              from (select s.memory_id, s.status, s.landmark, s.occurred_at, s.score
                      from scored s where s.status = 'archived'
                     union all
                    select a.memory_id, a.status, a.landmark, a.occurred_at, a.score
                      from active a where a.place > most_active) as s
        ),
        facts as (
            select f.memory_id,
                   row_number() over (order by f.pinned desc,
                       memory_internal.fact_confidence(f, at) desc,
                       f.importance desc, f.last_confirmed desc, f.memory_id desc) as place
              from memory.semantic_memory f
             where f.bank_id = bank and f.status in ('tentative', 'stable')
        ),
        procedures as (
            select p.memory_id,
                   row_number() over (order by p.pinned desc, p.status = 'active' desc,
                       0.6 * memory_internal.flush_to_zero(p.importance)
                           * (0.8 + memory_internal.procedure_weight(p.worked, p.failed))
                       + 0.4 * memory_internal.recency(p.occurred_at, at) desc,
                       p.occurred_at desc, p.memory_id desc) as place
              from memory.procedural_memory p
             where p.bank_id = bank and p.status in ('tentative', 'active')
        )
        select a.memory_id, 'episodic', case when a.place > most_archived then 'deprecated' else 'archived' end,
               case when a.place > most_archived then format('over the cap of %s archived episodes', most_archived)
                    else format('over the cap of %s active episodes', most_active) end
          from archived a
         where a.place > most_archived or a.status = 'active'
         union all
        select f.memory_id, 'semantic', 'deprecated', format('over the cap of %s facts', most_facts)
          from facts f
         where f.place > most_facts
         union all
        select p.memory_id, 'procedural', 'deprecated', format('over the cap of %s procedures', most_procedures)
          from procedures p
         where p.place > most_procedures
         order by 2, 3, 1
         limit page;
end $$;

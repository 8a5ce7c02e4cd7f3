-- What the night has to do in a bank: of each cluster in which facts are still to be drawn, or of which something may be
-- compressed, all that is active; and what waited for a cluster since before `old`. `memories` and `clusters` are
-- clusters that a dry run has thought of, beside those that were written down; `few` is how many it takes to compress some.
--   pending  its facts are still to be drawn
--   mundane  may be compressed: older, no landmark, no summary, not brought back from one
--   merged   near duplicates that became one with it: they are evidence, too
--   since    of a summary: from when on
-- Runs as the owner, as near_episodes does.
create or replace function memory_api.unconsolidated_episodes(
    bank text, model text, old timestamptz, few integer, memories uuid[] default '{}', clusters uuid[] default '{}',
    at timestamptz default now())
returns table (
    memory_id uuid, cluster_id uuid, occurred_at timestamptz, since timestamptz, content text, importance double precision,
    represents integer, merged uuid[], active boolean, pending boolean, mundane boolean, summarizes text, extracted_by text,
    consolidated_at timestamptz, embedding public.halfvec)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_api.enter_bank(bank);
    return query
        with planned as materialized (
            select p.memory_id, p.cluster_id from unnest(memories, clusters) as p (memory_id, cluster_id)
        ),
        -- Two probes of an index: however many are archived, or wait for nothing.
        candidates as materialized (
            select e.memory_id
              from memory.episodic_memory e
             where e.bank_id = bank and e.cluster_id is not null and e.status = 'active'
             union
            select e.memory_id
              from memory.episodic_memory e
             where e.bank_id = bank and e.consolidated_at is null and e.status in ('active', 'archived')
             union
            select p.memory_id from planned p
        ),
        looked as materialized (
            select e.memory_id, coalesce(p.cluster_id, e.cluster_id) as cluster_id, e.consolidated_at is null as pending,
                   e.status = 'active' and not e.landmark and e.summarizes is null and e.restored_at is null
                       and e.occurred_at <= old as mundane,
                   e.summarizes = 'similar' as counted
              from candidates c
              join memory.episodic_memory e on e.bank_id = bank and e.memory_id = c.memory_id
              left join planned p on p.memory_id = e.memory_id
             where e.occurred_at <= unconsolidated_episodes.at and e.status in ('active', 'archived')
               and (coalesce(p.cluster_id, e.cluster_id) is not null or e.occurred_at <= old)
        ),
        moving as (
            select l.cluster_id
              from looked l
             where l.cluster_id is not null
             group by l.cluster_id
            having bool_or(l.pending) or count(*) filter (where l.mundane) >= few
                or bool_or(l.mundane) and bool_or(l.counted)
        ),
        found as materialized (
            select l.* from looked l
             where l.cluster_id in (select m.cluster_id from moving m) or l.cluster_id is null and l.pending
        )
        select e.memory_id, f.cluster_id, e.occurred_at,
               case when e.summarizes is null then e.occurred_at else (e.full_text ->> 'from')::timestamptz end,
               case when e.summarizes = 'similar' then e.full_text ->> 'each' else e.summary end, e.importance,
               e.represents,
               array(select m.memory_id
                       from memory.episodic_memory m
                      where m.bank_id = bank and m.merged_into_id = e.memory_id and m.status = 'merged_into'
                      order by m.memory_id),
               e.status = 'active', f.pending, f.mundane, case when e.restored_at is null then e.summarizes end,
               e.extracted_by, e.consolidated_at, v.embedding
          from found f
          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = f.memory_id
         cross join lateral (select public.avg(w.embedding) as embedding
                               from memory.memory_vector w
                              where w.bank_id = bank and w.model_id = model and w.memory_id = f.memory_id
                             offset 0) as v
         where v.embedding is not null
         order by f.cluster_id, e.occurred_at, e.memory_id;
end $$;

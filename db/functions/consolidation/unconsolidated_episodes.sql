-- Returns the episodes to consolidate in a bank: for each cluster with facts still to be drawn these episodes and
-- the latest `context_episodes` consolidated before; for each cluster that can be compressed all compressible ones;
-- and episodes without a cluster since before `older_than`. A cluster is compressed from `min_episodes` compressible
-- episodes on; while it also has a recent episode, only from `enough_episodes` or `characters` on, unless the bank
-- summarizes nearly equal ones (`merges_similar`). The latest active episode of a cluster is always included, because
-- it shows whether the cluster is recent. `memories` and `clusters` are clusters that a dry run computed, in addition
-- to the stored ones.
--   pending    its facts are still to be drawn
--   mundane    compressible: old, no landmark, no summary, not restored from one
--   merged     duplicates merged into it: they are evidence as well
--   since      start of the period of a summary
--   embedding  null if nothing of its cluster is compressed
-- Runs as the owner, as nearest_episodes does.
create or replace function memory_api.unconsolidated_episodes(
    bank text, model text, older_than timestamptz, min_episodes integer, enough_episodes integer, characters integer,
    context_episodes integer, merges_similar boolean, memories uuid[] default '{}', clusters uuid[] default '{}', at timestamptz default now())
returns table (
    memory_id uuid, cluster_id uuid, occurred_at timestamptz, since timestamptz, content text, importance double precision,
    represents integer, merged uuid[], active boolean, pending boolean, mundane boolean, summarizes text, extracted_by text,
    consolidated_at timestamptz, version integer, embedding public.halfvec)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        with planned as materialized (
            select p.memory_id, p.cluster_id from unnest(memories, clusters) as p (memory_id, cluster_id)
        ),
        -- Two index probes, whatever the number of archived and finished episodes.
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
        eligible as materialized (
            select e.memory_id, coalesce(p.cluster_id, e.cluster_id) as cluster_id, e.occurred_at,
                   e.status = 'active' as active, e.consolidated_at is null as pending,
                   e.consolidated_at < unconsolidated_episodes.at and e.summarizes is null as was_consolidated,
                   e.status = 'active' and not e.landmark and e.summarizes is null and e.restored_at is null
                       and e.occurred_at <= older_than as mundane,
                   e.summarizes = 'similar' as counts_similar, length(e.summary) as characters
              from candidates c
              join memory.episodic_memory e on e.bank_id = bank and e.memory_id = c.memory_id
              left join planned p on p.memory_id = e.memory_id
             where e.occurred_at <= unconsolidated_episodes.at and e.status in ('active', 'archived')
               and (coalesce(p.cluster_id, e.cluster_id) is not null or e.occurred_at <= older_than)
               and exists (select from memory.memory_vector v
                            where v.bank_id = bank and v.model_id = model and v.memory_id = e.memory_id)
        ),
        due_clusters as materialized (
            select c.*
              from (select l.cluster_id, bool_or(l.pending) as pending,
                           count(*) filter (where l.mundane) >= min_episodes
                               and (merges_similar or not bool_or(l.active and l.occurred_at > older_than)
                                    or count(*) filter (where l.mundane) >= enough_episodes
                                    or sum(l.characters) filter (where l.mundane) >= unconsolidated_episodes.characters)
                               or coalesce(bool_or(l.mundane) and bool_or(l.counts_similar), false) as compresses
                      from eligible l
                     where l.cluster_id is not null
                     group by l.cluster_id) as c
             where c.pending or c.compresses
        ),
        selected as materialized (
            select r.memory_id, r.cluster_id, r.pending, r.mundane, r.compresses
              from (select l.*, m.compresses,
                           row_number() over (partition by l.cluster_id, l.was_consolidated
                                                  order by l.occurred_at desc, l.memory_id desc) as place_before,
                           row_number() over (partition by l.cluster_id, l.active
                                                  order by l.occurred_at desc, l.memory_id desc) as place_active
                      from eligible l
                      join due_clusters m on m.cluster_id = l.cluster_id) as r
             where r.pending or r.compresses and (r.mundane or r.counts_similar) or r.was_consolidated
               and r.place_before <= context_episodes
                or r.active and r.place_active = 1
             union all
            select l.memory_id, null, l.pending, l.mundane, false
              from eligible l
             where l.cluster_id is null and l.pending
        ),
        -- In one scan instead of one per episode: merged_into_id has no index.
        merged as materialized (
            select m.merged_into_id, array_agg(m.memory_id order by m.memory_id) as memories
              from memory.episodic_memory m
             where m.bank_id = bank and m.status = 'merged_into' and m.merged_into_id in (select f.memory_id from selected f)
             group by m.merged_into_id
        )
        select e.memory_id, f.cluster_id, e.occurred_at,
               case when e.summarizes is null then e.occurred_at else (e.full_text ->> 'from')::timestamptz end,
               case when e.summarizes = 'similar' then e.full_text ->> 'each' else e.summary end, e.importance,
               e.represents, coalesce(m.memories, '{}'),
               e.status = 'active', f.pending, f.mundane, case when e.restored_at is null then e.summarizes end,
               e.extracted_by, e.consolidated_at, e.version,
               case when f.compresses then (select public.avg(w.embedding)
                                         from memory.memory_vector w
                                        where w.bank_id = bank and w.model_id = model and w.memory_id = f.memory_id
                                          and w.part < memory_internal.first_reply_part()) end
          from selected f
          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = f.memory_id
          left join merged m on m.merged_into_id = f.memory_id
         order by f.cluster_id, e.occurred_at, e.memory_id;
end $$;

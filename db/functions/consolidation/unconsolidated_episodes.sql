-- What the night has to do in a bank: of each cluster in which facts are still to be drawn these episodes, with the latest
-- `shown` that were consolidated before; of each of which something may be compressed all that may be; and what waited for
-- a cluster since before `old`. It takes a `few` to compress some; as long as something of the cluster is recent, a whole
-- `piece` or so many `characters`, unless the bank makes one of nearly equal ones (`alike`). Of the active ones of a cluster
-- the latest is always there: it tells whether something is recent. `memories` and `clusters` are clusters that a dry run
-- has thought of, beside those that were written down.
--   pending    its facts are still to be drawn
--   mundane    may be compressed: older, no landmark, no summary, not brought back from one
--   merged     near duplicates that became one with it: they are evidence, too
--   since      of a summary: from when on
--   embedding  null where nothing of its cluster is compressed
-- Runs as the owner, as nearest_episodes does.
create or replace function memory_api.unconsolidated_episodes(
    bank text, model text, old timestamptz, few integer, piece integer, characters integer, shown integer, alike boolean,
    memories uuid[] default '{}', clusters uuid[] default '{}', at timestamptz default now())
returns table (
    memory_id uuid, cluster_id uuid, occurred_at timestamptz, since timestamptz, content text, importance double precision,
    represents integer, merged uuid[], active boolean, pending boolean, mundane boolean, summarizes text, extracted_by text,
    consolidated_at timestamptz, embedding public.halfvec)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.enter_bank(bank);
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
            select e.memory_id, coalesce(p.cluster_id, e.cluster_id) as cluster_id, e.occurred_at,
                   e.status = 'active' as active, e.consolidated_at is null as pending,
                   e.consolidated_at < unconsolidated_episodes.at and e.summarizes is null as before,
                   e.status = 'active' and not e.landmark and e.summarizes is null and e.restored_at is null
                       and e.occurred_at <= old as mundane,
                   e.summarizes = 'similar' as counted, length(e.summary) as characters
              from candidates c
              join memory.episodic_memory e on e.bank_id = bank and e.memory_id = c.memory_id
              left join planned p on p.memory_id = e.memory_id
             where e.occurred_at <= unconsolidated_episodes.at and e.status in ('active', 'archived')
               and (coalesce(p.cluster_id, e.cluster_id) is not null or e.occurred_at <= old)
               and exists (select from memory.memory_vector v
                            where v.bank_id = bank and v.model_id = model and v.memory_id = e.memory_id)
        ),
        moving as materialized (
            select c.*
              from (select l.cluster_id, bool_or(l.pending) as pending,
                           count(*) filter (where l.mundane) >= few
                               and (alike or not bool_or(l.active and l.occurred_at > old)
                                    or count(*) filter (where l.mundane) >= piece
                                    or sum(l.characters) filter (where l.mundane) >= unconsolidated_episodes.characters)
                               or coalesce(bool_or(l.mundane) and bool_or(l.counted), false) as folds
                      from looked l
                     where l.cluster_id is not null
                     group by l.cluster_id) as c
             where c.pending or c.folds
        ),
        found as materialized (
            select r.memory_id, r.cluster_id, r.pending, r.mundane, r.folds
              from (select l.*, m.folds,
                           row_number() over (partition by l.cluster_id, l.before
                                                  order by l.occurred_at desc, l.memory_id desc) as place_before,
                           row_number() over (partition by l.cluster_id, l.active
                                                  order by l.occurred_at desc, l.memory_id desc) as place_active
                      from looked l
                      join moving m on m.cluster_id = l.cluster_id) as r
             where r.pending or r.folds and (r.mundane or r.counted) or r.before and r.place_before <= shown
                or r.active and r.place_active = 1
             union all
            select l.memory_id, null, l.pending, l.mundane, false
              from looked l
             where l.cluster_id is null and l.pending
        ),
        -- Once, not for each of them: no index leads to these.
        merged as materialized (
            select m.merged_into_id, array_agg(m.memory_id order by m.memory_id) as memories
              from memory.episodic_memory m
             where m.bank_id = bank and m.status = 'merged_into' and m.merged_into_id in (select f.memory_id from found f)
             group by m.merged_into_id
        )
        select e.memory_id, f.cluster_id, e.occurred_at,
               case when e.summarizes is null then e.occurred_at else (e.full_text ->> 'from')::timestamptz end,
               case when e.summarizes = 'similar' then e.full_text ->> 'each' else e.summary end, e.importance,
               e.represents, coalesce(m.memories, '{}'),
               e.status = 'active', f.pending, f.mundane, case when e.restored_at is null then e.summarizes end,
               e.extracted_by, e.consolidated_at,
               case when f.folds then (select public.avg(w.embedding)
                                         from memory.memory_vector w
                                        where w.bank_id = bank and w.model_id = model and w.memory_id = f.memory_id
                                          and w.part < memory_internal.first_reply_part()) end
          from found f
          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = f.memory_id
          left join merged m on m.merged_into_id = f.memory_id
         order by f.cluster_id, e.occurred_at, e.memory_id;
end $$;

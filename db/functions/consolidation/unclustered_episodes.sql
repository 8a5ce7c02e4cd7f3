-- Returns the input of clustering: episodes whose facts were not drawn yet and that have no cluster (`fresh`), those
-- never tried first, and the active episodes and summaries that they may join. Empty if every one was tried before:
-- these are tried again when new episodes arrive. At most `most` of each. The embedding of a long text is the mean
-- of its parts. Runs as the owner, as nearest_episodes does.
create or replace function memory_api.unclustered_episodes(
    bank text, model text, most integer, at timestamptz default now())
returns table (memory_id uuid, cluster_id uuid, fresh boolean, embedding public.halfvec, occurred_at timestamptz)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
    candidates uuid[];
begin
    perform memory_internal.enter_bank(bank);
    candidates := array(
        select f.memory_id
          from (select e.memory_id, e.clustered_at, e.occurred_at
                  from memory.episodic_memory e
                 where e.bank_id = bank and e.consolidated_at is null and e.status in ('active', 'archived')
                   and e.cluster_id is null and e.restored_at is null and e.occurred_at <= unclustered_episodes.at
                   and exists (select from memory.memory_vector v
                                where v.bank_id = bank and v.model_id = model and v.memory_id = e.memory_id)) as f
         order by f.clustered_at is not null, f.occurred_at, f.memory_id
         limit most);
    if not exists (select from memory.episodic_memory e
                    where e.bank_id = bank and e.memory_id = any (candidates) and e.clustered_at is null) then
        return;
    end if;
    return query
        with joinable as (
            select e.memory_id
              from memory.episodic_memory e
             where e.bank_id = bank and e.status = 'active' and e.restored_at is null
               and e.occurred_at <= unclustered_episodes.at and e.memory_id <> all (candidates)
               and (e.cluster_id is not null or e.consolidated_at is not null)
             order by e.occurred_at desc, e.memory_id
             limit most
        )
        select e.memory_id, e.cluster_id, c.fresh, public.avg(v.embedding), e.occurred_at
          from (select unnest(candidates) as memory_id, true as fresh union all select k.memory_id,
                false from joinable k) as c
          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = c.memory_id
          join memory.memory_vector v
            on v.bank_id = bank and v.model_id = model and v.memory_id = c.memory_id
           and v.part < memory_internal.first_reply_part()
         group by e.memory_id, e.cluster_id, c.fresh, e.occurred_at
         order by e.memory_id;
end $$;

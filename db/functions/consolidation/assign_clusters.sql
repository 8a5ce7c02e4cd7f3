-- Sets the cluster of each of these episodes, null for those that found none. Later steps use the stored cluster,
-- however often the nightly run is restarted. Returns false, and writes nothing, if one of them was clustered,
-- consolidated or deleted since it was read; the caller reads again. Takes the bank lock, then the rows in the order
-- of their ids.
create or replace function memory_api.assign_clusters(
    bank text, memories uuid[], clusters uuid[], at timestamptz default now())
returns boolean
language plpgsql as $$
declare
    unclustered_count integer;
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    select count(*) into unclustered_count
      from (select from memory.episodic_memory e
             where e.bank_id = bank and e.memory_id = any (memories) and e.status in ('active', 'archived')
               and e.cluster_id is null and e.restored_at is null
             order by e.memory_id
               for no key update) as locked;
    if unclustered_count <> cardinality(memories) then
        return false;
    end if;
    update memory.episodic_memory e
       set cluster_id = a.cluster_id, clustered_at = coalesce(e.clustered_at, at)
      from unnest(memories, clusters) as a (memory_id, cluster_id)
     where e.bank_id = bank and e.memory_id = any (memories) and e.memory_id = a.memory_id;
    return true;
end $$;

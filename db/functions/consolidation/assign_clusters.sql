-- Writes down in which cluster each of these episodes is, null for those that found none and wait: what follows from a
-- cluster goes by this, however often the night is begun. False, and nothing is written, where one of them has got a
-- cluster, was consolidated or is not kept any more since it was read: the caller reads again.
create or replace function memory_api.assign_clusters(
    bank text, memories uuid[], clusters uuid[], at timestamptz default now())
returns boolean
language plpgsql as $$
declare
    free integer;
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    select count(*) into free
      from (select from memory.episodic_memory e
             where e.bank_id = bank and e.memory_id = any (memories) and e.status in ('active', 'archived')
               and e.cluster_id is null and e.restored_at is null
             order by e.memory_id
               for no key update) as held;
    if free <> cardinality(memories) then
        return false;
    end if;
    update memory.episodic_memory e
       set cluster_id = a.cluster_id, clustered_at = coalesce(e.clustered_at, at)
      from unnest(memories, clusters) as a (memory_id, cluster_id)
     where e.bank_id = bank and e.memory_id = any (memories) and e.memory_id = a.memory_id;
    return true;
end $$;

-- Returns the summaries of these episodes, and summaries of those, which have to be deleted with them, and makes the
-- episodes that they summed up as well active again, to be consolidated anew without the erased ones. The caller holds
-- the bank lock.
create or replace function memory_internal.erase_summaries(bank text, episodes uuid[], at timestamptz) returns uuid[]
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    summaries uuid[];
    remaining uuid[];
begin
    perform memory_internal.enter_bank(bank);
    summaries := array(
        with recursive found as (
            select unnest(episodes) as memory_id
             union
            select s.memory_id
              from found f
              join memory.memory_link l on l.bank_id = bank and l.linked_id = f.memory_id and l.reason = 'summary'
              join memory.episodic_memory s on s.bank_id = bank and s.memory_id = l.memory_id
             where s.summarizes is not null
        )
        select f.memory_id from found f except select unnest(episodes));
    if summaries = '{}' then
        return summaries;
    end if;
    remaining := array(
        select distinct e.memory_id
          from memory.memory_link l
          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = l.linked_id
         where l.bank_id = bank and l.memory_id = any (summaries) and l.reason = 'summary'
           and e.memory_id <> all (episodes || summaries)
         order by e.memory_id);
    update memory.episodic_memory e
       set consolidated_at = null, cluster_id = null, clustered_at = null
     where e.bank_id = bank and e.memory_id = any (remaining);
    perform memory_internal.set_episodes_status(
        bank, remaining, array['archived', 'deprecated'], 'active', 'its summary was erased', 'erasure', at);
    return summaries;
end $$;

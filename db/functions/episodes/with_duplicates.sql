-- Returns the ids of these episodes, as far as they exist, and of the duplicates that were merged into them, directly
-- or through others, in order.
create or replace function memory_internal.with_duplicates(bank text, memories uuid[]) returns uuid[]
language plpgsql stable set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    return (
        with recursive found as (
            select e.memory_id from memory.episodic_memory e where e.bank_id = bank and e.memory_id = any (memories)
             union
            select e.memory_id
              from found f
              join memory.episodic_memory e on e.bank_id = bank and e.merged_into_id = f.memory_id
        )
        select coalesce(array_agg(f.memory_id order by f.memory_id), '{}') from found f);
end $$;

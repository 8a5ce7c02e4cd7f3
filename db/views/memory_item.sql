-- A memory of any type as all interfaces return it. Lists query the views separately, because each table has its
-- own indexes.
create or replace view memory_api.memory_item with (security_invoker = true) as
select * from memory_api.episode_item
union all
select * from memory_api.fact_item
union all
select * from memory_api.procedure_item;

-- A memory of any type as every door shows it. Lists take the two by themselves, because each has indexes of its own.
create or replace view memory_api.memory_item with (security_invoker = true) as
select * from memory_api.episode_item
union all
select * from memory_api.fact_item;

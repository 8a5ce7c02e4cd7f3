-- Returns one page of memories, newest first or most important first (keyset pagination: the next page starts after
-- the last item's position). Each type is read separately by its own index, at most a page. force_custom_plan:
-- a generic plan would apply the position as a filter and read from the start each time.
create or replace function memory_api.list_memories(
    bank text, page integer, after_at timestamptz default null, after_id uuid default null,
    types text[] default null, tags text[] default null, min_importance double precision default null,
    statuses text[] default null, since timestamptz default null, until timestamptz default null,
    agent text default null, recipient text default null, by_importance boolean default false,
    after_importance double precision default null)
returns setof memory_api.memory_item
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.require_bank(bank);
    if by_importance then
        return query
            select m.*
              from (
                (select i.*
                   from memory_api.episode_item i
                  where i.bank_id = bank and (types is null or 'episodic' = any (types))
                    and (after_id is null
                         or (i.importance, i.occurred_at, i.memory_id) < (after_importance, after_at, after_id))
                    and (list_memories.tags is null or i.tags && list_memories.tags)
                    and (min_importance is null or i.importance >= min_importance)
                    and (statuses is null or i.status = any (statuses))
                    and (since is null or i.occurred_at >= since)
                    and (until is null or i.occurred_at <= until)
                    and (agent is null or i.agent_id = agent)
                    and (recipient is null or recipient = any (i.recipients))
                  order by i.importance desc, i.occurred_at desc, i.memory_id desc
                  limit page)
                union all
                (select i.*
                   from memory_api.fact_item i
                  where i.bank_id = bank and (types is null or 'semantic' = any (types))
                    and (after_id is null
                         or (i.importance, i.occurred_at, i.memory_id) < (after_importance, after_at, after_id))
                    and (list_memories.tags is null or i.tags && list_memories.tags)
                    and (min_importance is null or i.importance >= min_importance)
                    and (statuses is null or i.status = any (statuses))
                    and (since is null or i.occurred_at >= since)
                    and (until is null or i.occurred_at <= until)
                    and (agent is null or i.agent_id = agent)
                    and (recipient is null or recipient = any (i.recipients))
                  order by i.importance desc, i.occurred_at desc, i.memory_id desc
                  limit page)
                union all
                (select i.*
                   from memory_api.procedure_item i
                  where i.bank_id = bank and (types is null or 'procedural' = any (types))
                    and (after_id is null
                         or (i.importance, i.occurred_at, i.memory_id) < (after_importance, after_at, after_id))
                    and (list_memories.tags is null or i.tags && list_memories.tags)
                    and (min_importance is null or i.importance >= min_importance)
                    and (statuses is null or i.status = any (statuses))
                    and (since is null or i.occurred_at >= since)
                    and (until is null or i.occurred_at <= until)
                    and (agent is null or i.agent_id = agent)
                    and (recipient is null or recipient = any (i.recipients))
                  order by i.importance desc, i.occurred_at desc, i.memory_id desc
                  limit page)
              ) as m
             order by m.importance desc, m.occurred_at desc, m.memory_id desc
             limit page;
    else
        return query
            select m.*
              from (
                (select i.*
                   from memory_api.episode_item i
                  where i.bank_id = bank and (types is null or 'episodic' = any (types))
                    and (after_id is null or (i.occurred_at, i.memory_id) < (after_at, after_id))
                    and (list_memories.tags is null or i.tags && list_memories.tags)
                    and (min_importance is null or i.importance >= min_importance)
                    and (statuses is null or i.status = any (statuses))
                    and (since is null or i.occurred_at >= since)
                    and (until is null or i.occurred_at <= until)
                    and (agent is null or i.agent_id = agent)
                    and (recipient is null or recipient = any (i.recipients))
                  order by i.occurred_at desc, i.memory_id desc
                  limit page)
                union all
                (select i.*
                   from memory_api.fact_item i
                  where i.bank_id = bank and (types is null or 'semantic' = any (types))
                    and (after_id is null or (i.occurred_at, i.memory_id) < (after_at, after_id))
                    and (list_memories.tags is null or i.tags && list_memories.tags)
                    and (min_importance is null or i.importance >= min_importance)
                    and (statuses is null or i.status = any (statuses))
                    and (since is null or i.occurred_at >= since)
                    and (until is null or i.occurred_at <= until)
                    and (agent is null or i.agent_id = agent)
                    and (recipient is null or recipient = any (i.recipients))
                  order by i.occurred_at desc, i.memory_id desc
                  limit page)
                union all
                (select i.*
                   from memory_api.procedure_item i
                  where i.bank_id = bank and (types is null or 'procedural' = any (types))
                    and (after_id is null or (i.occurred_at, i.memory_id) < (after_at, after_id))
                    and (list_memories.tags is null or i.tags && list_memories.tags)
                    and (min_importance is null or i.importance >= min_importance)
                    and (statuses is null or i.status = any (statuses))
                    and (since is null or i.occurred_at >= since)
                    and (until is null or i.occurred_at <= until)
                    and (agent is null or i.agent_id = agent)
                    and (recipient is null or recipient = any (i.recipients))
                  order by i.occurred_at desc, i.memory_id desc
                  limit page)
              ) as m
             order by m.occurred_at desc, m.memory_id desc
             limit page;
    end if;
end $$;

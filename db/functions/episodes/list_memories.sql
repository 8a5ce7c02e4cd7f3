-- Returns one page of memories, newest first or most important first (keyset pagination: the next page starts after
-- the last item's position). Each type is read separately by its own index, at most a page. Dynamic, because a filter
-- on all types would read them from the start, and a generic plan would apply the position as a filter.
create or replace function memory_api.list_memories(
    bank text, page integer, after_at timestamptz default null, after_id uuid default null,
    types text[] default null, tags text[] default null, min_importance double precision default null,
    statuses text[] default null, since timestamptz default null, until timestamptz default null,
    agent text default null, recipient text default null, by_importance boolean default false,
    after_importance double precision default null)
returns setof memory_api.memory_item
language plpgsql as $$
declare
    by_date constant text := 'i.occurred_at desc, i.memory_id desc';
    sorting constant text := case when by_importance then 'i.importance desc, ' else '' end || by_date;
    following constant text := case
        when after_id is null then ''
        when by_importance then 'and (i.importance, i.occurred_at, i.memory_id) < ($12, $3, $4)'
        else 'and (i.occurred_at, i.memory_id) < ($3, $4)' end;
    one_type constant text := '
        (select i.*
           from memory_api.%I i
          where i.bank_id = $1 %s
            and ($5 is null or i.tags && $5)
            and ($6 is null or i.importance >= $6)
            and ($7 is null or i.status = any ($7))
            and ($8 is null or i.occurred_at >= $8)
            and ($9 is null or i.occurred_at <= $9)
            and ($10 is null or i.agent_id = $10)
            and ($11 is null or $11 = any (i.recipients))
          order by %s
          limit $2)';
    of_types text;
begin
    perform memory_internal.require_bank(bank);
    select string_agg(format(one_type, t.item, following, sorting), ' union all ')
      into of_types
      from (values ('episodic', 'episode_item'), ('semantic', 'fact_item'), ('procedural', 'procedure_item'))
           as t (type, item)
     where types is null or t.type = any (types);
    if of_types is null then
        return;
    end if;
    return query execute format('select i.* from (%s) as i order by %s limit $2', of_types, sorting)
        using bank, page, after_at, after_id, list_memories.tags, min_importance, statuses, since, until, agent,
              recipient, after_importance;
end $$;

-- Memories newest first, a page at a time: the next page continues after (occurred_at, memory_id).
create or replace function memory_api.list_memories(
    bank text, page integer, after_at timestamptz default null, after_id uuid default null,
    tags text[] default null, min_importance double precision default null, statuses text[] default null,
    since timestamptz default null, until timestamptz default null)
returns setof memory_api.memory_item
language plpgsql as $$
begin
    perform memory_api.require_bank(bank);
    return query
        select i.*
          from memory_api.memory_item i
         where i.bank_id = bank
           and (after_at is null or (i.occurred_at, i.memory_id) < (after_at, after_id))
           and (list_memories.tags is null or i.tags && list_memories.tags)
           and (min_importance is null or i.importance >= min_importance)
           and (statuses is null or i.status = any (statuses))
           and (since is null or i.occurred_at >= since)
           and (until is null or i.occurred_at <= until)
         order by i.occurred_at desc, i.memory_id desc
         limit page;
end $$;

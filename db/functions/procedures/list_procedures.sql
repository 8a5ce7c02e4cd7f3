-- Returns one page of the procedures of a bank, the last confirmed first (keyset pagination). `statuses` null: active
-- and tentative, at `as_of` those in force then, in both cases without habits that are over by then (is_ended_habit).
-- Raises ME001.
create or replace function memory_api.list_procedures(
    bank text, page integer, as_of timestamptz default null, statuses text[] default null, kinds text[] default null,
    after_at timestamptz default null, after_id uuid default null)
returns setof memory_api.procedure_entry
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select y.*
          from (select p.memory_id, p.occurred_at
                  from memory.procedural_memory p
                 where p.bank_id = bank and (kinds is null or p.kind = any (kinds))
                   and case when statuses is not null then p.status = any (statuses)
                            when as_of is not null then memory_internal.is_in_force(p, as_of)
                            else p.status in ('active', 'tentative') end
                   and (statuses is not null or p.kind <> 'habit'
                        or not memory_internal.is_ended_habit(bank, p.memory_id, coalesce(as_of, now())))
                   and (statuses is null or as_of is null or p.valid_from <= as_of)
                   and (after_id is null or (p.occurred_at, p.memory_id) < (after_at, after_id))
                 order by p.occurred_at desc, p.memory_id desc
                 limit page) as chosen
          join memory_api.procedure_entry y on y.bank_id = bank and y.memory_id = chosen.memory_id
         order by chosen.occurred_at desc, chosen.memory_id desc;
end $$;

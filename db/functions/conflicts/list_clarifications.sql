-- Returns one page of clarification questions, most important first, then oldest; only open ones if no status is
-- given.
create or replace function memory_api.list_clarifications(
    bank text, page integer, statuses text[] default array['open'], after_importance double precision default null,
    after_at timestamptz default null, after_id uuid default null)
returns setof memory_api.clarification_entry
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select q.*
          from memory_api.clarification_entry q
         where q.bank_id = bank and q.status = any (coalesce(statuses, array['open']))
           and (after_id is null
                or (-q.importance, q.created_at, q.clarification_id) > (-after_importance, after_at, after_id))
         order by q.importance desc, q.created_at, q.clarification_id
         limit page;
end $$;

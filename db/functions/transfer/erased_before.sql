-- Returns which of these conversations and agents were erased, with the time of their last erasure: an import would
-- store them again, also where the bank has later messages of them. Runs as the owner, as is_erased does.
create or replace function memory_api.erased_before(bank text, conversations text[], agents text[])
returns table (kind text, id text, erased_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    if not exists (select from memory.erasure e where e.bank_id = bank) then
        return;
    end if;
    return query
        select 'conversation', c.id, max(e.unreachable_at)
          from unnest(conversations) as c (id)
          join memory.erased_item i
            on i.bank_id = bank and i.kind = 'conversation'
           and i.id_hash = memory_internal.erased_id_hash('conversation', c.id)
          join memory.erasure e on e.bank_id = bank and e.erasure_id = i.erasure_id
         group by c.id
         union all
        select 'agent', a.id, max(e.unreachable_at)
          from unnest(agents) as a (id)
          join memory.erasure e
            on e.bank_id = bank and e.scope = 'agent'
           and e.selector ->> 'agent_id' = encode(memory_internal.erased_id_hash('agent', a.id), 'hex')
         group by a.id;
end $$;

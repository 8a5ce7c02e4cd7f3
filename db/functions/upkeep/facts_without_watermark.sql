-- Returns the open facts that a pass has not processed with their present text, and the hash of the text as the
-- state for set_watermark.
create or replace function memory_api.facts_without_watermark(bank text, pass text, most integer)
returns table (memory_id uuid, state text)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select f.memory_id, md5(f.fact)
          from memory.semantic_memory f
          left join memory.watermark n
            on n.bank_id = bank and n.pass = facts_without_watermark.pass and n.memory_id = f.memory_id
         where f.bank_id = bank and f.status in ('tentative', 'stable') and f.valid_to is null
           and n.state is distinct from md5(f.fact)
         order by f.recorded_at, f.memory_id
         limit most;
end $$;

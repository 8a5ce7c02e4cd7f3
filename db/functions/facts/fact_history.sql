-- Returns one page of the versions of a fact, oldest first, each with reason and actor; `at` is its transaction
-- time. Every fact has a first version: an empty first page means that the fact does not exist.
create or replace function memory_api.fact_history(
    bank text, memory uuid, page integer, after_version integer default 0)
returns setof memory.fact_version
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        select v.*
          from memory.fact_version v
         where v.bank_id = bank and v.fact_id = memory and v.version > after_version
         order by v.version
         limit page;
end $$;

-- Every state that a fact was in, in the order in which they became known, with why and by whom; `at` is when we knew.
-- Each fact has a first version: none on the first page means that there is no such fact.
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

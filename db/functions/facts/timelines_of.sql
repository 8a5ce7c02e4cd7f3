-- Returns the timelines of these facts.
create or replace function memory_internal.timelines_of(bank text, facts uuid[]) returns text[]
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    return array(
        select distinct f.timeline
          from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id = any (facts)
         order by f.timeline);
end $$;

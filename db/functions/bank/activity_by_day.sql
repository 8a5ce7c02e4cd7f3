-- Returns the messages and episodes of a bank by the UTC day on which they were recorded, from a time on, as far as
-- they are still stored; days without any are left out. Called by the command `stats`.
create or replace function memory_api.activity_by_day(bank text, since timestamptz)
returns table (day date, messages bigint, memories bigint)
language plpgsql stable as $$
begin
    perform memory_internal.require_bank(bank);
    return query
        with arrived as (
            select m.recorded_at, 1 as messages, 0 as memories
              from memory.message m
             where m.bank_id = bank and m.recorded_at >= activity_by_day.since
             union all
            select e.recorded_at, 0, 1
              from memory.episodic_memory e
             where e.bank_id = bank and e.recorded_at >= activity_by_day.since
        )
        select (a.recorded_at at time zone 'UTC')::date, sum(a.messages), sum(a.memories)
          from arrived a
         group by 1
         order by 1 desc;
end $$;

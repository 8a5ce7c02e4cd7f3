-- Rebuilds these timelines, each once and in order (rebuild_timeline). The caller holds the bank lock.
create or replace function memory_internal.rebuild_timelines(
    bank text, timelines text[], reason text, actor text, at timestamptz)
returns void
language plpgsql as $$
declare
    this_timeline text;
begin
    perform memory_internal.enter_bank(bank);
    for this_timeline in select distinct t from unnest(timelines) as t order by t loop
        perform memory_internal.rebuild_timeline(bank, this_timeline, reason, actor, at);
    end loop;
end $$;

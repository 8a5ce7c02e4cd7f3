-- Settles the conflict of two facts for good: `keep` is right, or both are where it is null. What is kept is confirmed, as of
-- `moment`, the other one closed or retracted (memory_internal.supersede_or_retract). A question about them is answered. The caller holds
-- the bank's lock and has checked that what is kept still stands.
create or replace function memory_internal.decide_conflict(
    bank text, one uuid, other uuid, keep uuid, reason text, actor text, moment timestamptz, at timestamptz)
returns void
language plpgsql as $$
declare
    line text;
begin
    perform memory_internal.enter_bank(bank);
    perform memory_internal.resolve_conflict(bank, one, other, keep, actor, at);
    insert into memory.fact_judgement (bank_id, fact_id, verdict, occurred_at, recorded_at, actor)
    select bank, f, 'confirmed', moment, at, decide_conflict.actor
      from unnest(array[one, other]) as f
     where keep is null or f = keep;
    if keep is not null then
        perform memory_internal.supersede_or_retract(
            bank, case when keep = one then other else one end, keep, decide_conflict.actor, moment, at);
    end if;
    for line in
        select distinct f.timeline
          from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id in (one, other)
         order by 1
    loop
        perform memory_internal.rebuild_timeline(bank, line, reason, decide_conflict.actor, at);
    end loop;
    perform memory_internal.mark_bank_due(bank, 0, at);
end $$;

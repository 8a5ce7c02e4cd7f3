-- Resolves the conflict of two facts permanently: `keep` is right, or both if it is null. Records a confirmation of the
-- kept facts at `valid_at`, supersedes or retracts the other (supersede_or_retract), answers the clarification question
-- and rebuilds both timelines. `segment` as in resolve_conflict. The caller holds the bank lock and has checked that
-- the kept fact is neither retracted nor merged.
create or replace function memory_internal.decide_conflict(
    bank text, one uuid, other uuid, keep uuid, reason text, actor text, valid_at timestamptz, at timestamptz,
    segment uuid default null)
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    perform memory_internal.resolve_conflict(bank, one, other, keep, actor, at, segment);
    insert into memory.fact_judgement
        (bank_id, fact_id, judgement, occurred_at, recorded_at, actor, rival_id, segment_id)
    select bank, f, 'confirmed', valid_at, at, decide_conflict.actor, case when f = one then other else one end, segment
      from unnest(array[one, other]) as f
     where keep is null or f = keep;
    if keep is not null then
        perform memory_internal.supersede_or_retract(
            bank, case when keep = one then other else one end, keep, decide_conflict.actor, valid_at, at,
            segment);
    end if;
    perform memory_internal.rebuild_timelines(
        bank, memory_internal.timelines_of(bank, array[one, other]), reason, decide_conflict.actor, at);
    perform memory_internal.mark_bank_due(bank, 0, at);
end $$;

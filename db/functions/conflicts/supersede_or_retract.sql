-- Ends or retracts the fact that lost a conflict to `kept_id`: if it is the older and neither attribute is fixed, it
-- was true until the kept one began and is superseded by it; otherwise it was wrong and is retracted. Returns its
-- timeline, which the caller rebuilds. `segment` as in resolve_conflict. The caller holds the bank lock.
create or replace function memory_internal.supersede_or_retract(
    bank text, lost_id uuid, kept_id uuid, actor text, valid_at timestamptz, at timestamptz,
    segment uuid default null)
returns text
language plpgsql as $$
declare
    kept memory.semantic_memory;
    lost memory.semantic_memory;
    closes boolean;
begin
    perform memory_internal.enter_bank(bank);
    select f.* into kept from memory.semantic_memory f where f.bank_id = bank and f.memory_id = kept_id;
    select f.* into lost from memory.semantic_memory f where f.bank_id = bank and f.memory_id = lost_id;
    if lost.status <> 'merged_into' and lost.retracted_at is null then
        closes := lost.valid_from < kept.valid_from and 'fixed' <> all (array[lost.cardinality, kept.cardinality]);
        -- If it was confirmed after the kept one began, it ends at that confirmation.
        insert into memory.fact_judgement
            (bank_id, fact_id, judgement, occurred_at, recorded_at, actor, rival_id, segment_id)
        values (bank, lost_id, case when closes then 'ended' else 'retracted' end,
                case when closes then greatest(kept.valid_from, lost.last_confirmed) else valid_at end, at,
                supersede_or_retract.actor, kept_id, segment);
        update memory.semantic_memory f
           set status = case when closes then f.status else 'deprecated' end,
               retracted_at = case when closes then f.retracted_at else at end,
               valid_to = case when closes then greatest(kept.valid_from, lost.last_confirmed) else f.valid_to end,
               superseded_by = case when closes then kept_id end
         where f.bank_id = bank and f.memory_id = lost_id and (not closes or f.valid_to is null);
    end if;
    return lost.timeline;
end $$;

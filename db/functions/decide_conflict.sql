-- Settles the conflict of two facts for good: `keep` is right, or both are where it is null. What is kept is confirmed, as of
-- `moment`. The other one was true until the kept one began and is closed, superseded by it, where it is the older and both
-- are of what changes; else it was wrong and is retracted. A question about them is answered. The caller holds the bank's
-- lock and has checked that what is kept still stands.
create or replace function memory_api.decide_conflict(
    bank text, one uuid, other uuid, keep uuid, reason text, actor text, moment timestamptz, at timestamptz)
returns void
language plpgsql as $$
declare
    kept memory.semantic_memory;
    lost memory.semantic_memory;
    closes boolean := false;
    line text;
begin
    perform memory_api.enter_bank(bank);
    perform memory_api.resolve_conflict(bank, one, other, keep, actor, at);
    insert into memory.fact_judgement (bank_id, fact_id, verdict, occurred_at, recorded_at, actor)
    select bank, f, 'confirmed', moment, at, decide_conflict.actor
      from unnest(array[one, other]) as f
     where keep is null or f = keep;
    if keep is not null then
        select f.* into kept from memory.semantic_memory f where f.bank_id = bank and f.memory_id = keep;
        select f.* into lost
          from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id in (one, other) and f.memory_id <> keep;
        if lost.status <> 'merged_into' and lost.retracted_at is null then
            closes := lost.valid_from < kept.valid_from and 'fixed' <> all (array[lost.cardinality, kept.cardinality]);
            -- Where it was said again after the kept one began: only now do we know better.
            insert into memory.fact_judgement (bank_id, fact_id, verdict, occurred_at, recorded_at, actor)
            values (bank, lost.memory_id, case when closes then 'ended' else 'retracted' end,
                    case when closes then greatest(kept.valid_from, lost.last_confirmed) else moment end, at,
                    decide_conflict.actor);
            update memory.semantic_memory f
               set status = 'deprecated', retracted_at = at, superseded_by = null
             where f.bank_id = bank and f.memory_id = lost.memory_id and not closes;
        end if;
    end if;
    for line in
        select distinct f.timeline
          from memory.semantic_memory f
         where f.bank_id = bank and f.memory_id in (one, other)
         order by 1
    loop
        perform memory_api.settle_timeline(bank, line, reason, decide_conflict.actor, at);
    end loop;
    if closes then
        update memory.semantic_memory f
           set superseded_by = keep
         where f.bank_id = bank and f.memory_id = lost.memory_id and f.valid_to is not null and f.superseded_by is null;
        perform memory_api.settle_facts(bank, array[lost.memory_id], reason, decide_conflict.actor, at);
    end if;
    perform memory_api.touch_upkeep(bank, 0, at);
end $$;

-- Gives the commits that these timelines merged their own rows back, without the statements of others; those of the
-- facts to be erased are deleted. rebuild_timeline merges them again. A commit and its row have the same recorded_at.
-- Called by erase_facts. The caller holds the bank lock.
create or replace function memory_internal.return_commits(bank text, timelines text[], facts uuid[]) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    with own as materialized (
        select j.judgement_id, c.memory_id, c.memory_id = any (facts) as erased
          from memory.semantic_memory c
          join memory.semantic_memory h on h.bank_id = bank and h.timeline = c.timeline
          join memory.fact_judgement j on j.bank_id = bank and j.fact_id = h.memory_id
         where c.bank_id = bank and c.timeline = any (timelines) and c.extracted_by is null
           and j.judgement = 'committed' and j.recorded_at = c.recorded_at
           and (c.memory_id = any (facts) or h.retracted_at is null)
           and not exists (select from memory.fact_merge m
                            where m.bank_id = bank and m.loser_id = c.memory_id and m.undone_at is null)
    ),
    erased as (
        delete from memory.fact_judgement j
         using own
         where j.bank_id = bank and j.judgement_id = own.judgement_id and own.erased
    ),
    returned as (
        update memory.fact_judgement j
           set fact_id = own.memory_id
          from own
         where j.bank_id = bank and j.judgement_id = own.judgement_id and not own.erased and j.fact_id <> own.memory_id
    )
    update memory.semantic_memory f
       set status = case when f.status = 'merged_into' then 'tentative' else f.status end, merged_into_id = null,
           importance = case when f.given -> 'changed' ? 'importance' then f.importance
                             else coalesce((select v.importance from memory.fact_version v
                                             where v.bank_id = bank and v.fact_id = f.memory_id
                                             order by v.version limit 1), f.importance) end
      from own
     where f.bank_id = bank and f.memory_id = own.memory_id and not own.erased;
end $$;

-- Undoes the merges (merge_facts) of these facts and of those with evidence in these episodes, so that each fact has
-- its own evidence; the nightly run merges again. Returns these facts. Called by erase_facts. The caller holds the bank
-- lock.
create or replace function memory_internal.undo_merges(
    bank text, episodes uuid[], facts uuid[], actor text, at timestamptz)
returns uuid[]
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    touched uuid[];
    merge memory.fact_merge;
begin
    perform memory_internal.enter_bank(bank);
    loop
        touched := facts || array(
            select distinct v.fact_id from memory.fact_evidence v
             where v.bank_id = bank and v.episode_id = any (episodes));
        -- A merge whose winner was not merged itself, as unmerge_fact requires.
        select m.* into merge
          from memory.fact_merge m
         where m.bank_id = bank and m.undone_at is null
           and (m.loser_id = any (touched) or m.winner_id = any (touched) or m.episodes && undo_merges.episodes)
           and not exists (select from memory.fact_merge above
                            where above.bank_id = bank and above.loser_id = m.winner_id and above.undone_at is null)
         order by m.merge_id desc
         limit 1;
        if not found then
            -- Of a chain of merges the last one is undone first.
            select above.* into merge
              from memory.fact_merge m
              join memory.fact_merge above
                on above.bank_id = bank and above.loser_id = m.winner_id and above.undone_at is null
             where m.bank_id = bank and m.undone_at is null
               and (m.loser_id = any (touched) or m.winner_id = any (touched) or m.episodes && undo_merges.episodes)
             order by above.merge_id desc
             limit 1;
        end if;
        exit when not found;
        perform from memory_api.unmerge_fact(bank, merge.loser_id, actor, at);
        delete from memory.fact_merge m where m.bank_id = bank and m.merge_id = merge.merge_id;
        delete from memory.watermark w
         where w.bank_id = bank and w.pass = 'merge' and w.memory_id in (merge.loser_id, merge.winner_id);
    end loop;
    return touched;
end $$;

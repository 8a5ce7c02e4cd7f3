-- Deletes what refers to these facts together with other facts: questions, conflicts, pair decisions, merges,
-- supersession; and stored answers that contain their ids. Called when the facts are erased or get other words. Facts
-- that were `reworded` keep the conflicts that follow from attribute and value (find_conflicts). The caller holds the
-- bank lock.
create or replace function memory_internal.separate_facts(bank text, facts uuid[], reworded boolean default false)
returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    delete from memory.clarification c where c.bank_id = bank and (c.one_id = any (facts) or c.other_id = any (facts));
    delete from memory.fact_conflict c
     using memory.semantic_memory one, memory.semantic_memory other
     where c.bank_id = bank and (c.one_id = any (facts) or c.other_id = any (facts))
       and one.bank_id = bank and one.memory_id = c.one_id and other.bank_id = bank and other.memory_id = c.other_id
       and not (reworded and coalesce(
               c.rule = 'fixed' and one.attribute = other.attribute
               or c.rule = 'opposites' and one.attribute <> other.attribute and lower(one.value) = lower(other.value),
               false));
    delete from memory.fact_pair p where p.bank_id = bank and (p.one_id = any (facts) or p.other_id = any (facts));
    delete from memory.merge_decision d where d.bank_id = bank and (d.one_id = any (facts) or d.other_id = any (facts));
    delete from memory.fact_merge m where m.bank_id = bank and (m.loser_id = any (facts) or m.winner_id = any (facts));
    delete from memory.fact_mention m where m.bank_id = bank and m.fact_id = any (facts);
    delete from memory.watermark w where w.bank_id = bank and w.memory_id = any (facts);
    perform memory_internal.delete_stored_answers(bank, facts);
    update memory.semantic_memory f
       set superseded_by = null
     where f.bank_id = bank and f.superseded_by = any (facts);
end $$;

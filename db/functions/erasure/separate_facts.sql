-- Deletes what refers to these facts together with other facts: questions, conflicts, pair decisions, merges,
-- supersession; and stored answers that contain their ids. Called when the facts are erased or get other words. The
-- caller holds the bank lock.
create or replace function memory_internal.separate_facts(bank text, facts uuid[]) returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    delete from memory.clarification c where c.bank_id = bank and (c.one_id = any (facts) or c.other_id = any (facts));
    delete from memory.fact_conflict c where c.bank_id = bank and (c.one_id = any (facts) or c.other_id = any (facts));
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

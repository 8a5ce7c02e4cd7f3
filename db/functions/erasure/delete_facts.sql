-- Deletes facts with everything about them. The caller holds the bank lock and computes the facts that remain again.
create or replace function memory_internal.delete_facts(bank text, facts uuid[]) returns void
language plpgsql as $$
declare
    old_words text[];
begin
    perform memory_internal.enter_bank(bank);
    perform memory_internal.remove_work(bank, array['facts', 'judge'], facts::text[]);
    perform memory_internal.separate_facts(bank, facts);
    old_words := memory_internal.indexed_words(bank, facts);
    delete from memory.memory_text t where t.bank_id = bank and t.memory_id = any (facts);
    perform memory_internal.update_word_counts(bank, old_words, '{}');
    delete from memory.memory_vector v where v.bank_id = bank and v.memory_id = any (facts);
    perform memory_internal.index_vectors(bank, facts);
    delete from memory.fact_evidence v where v.bank_id = bank and v.fact_id = any (facts);
    delete from memory.fact_judgement j where j.bank_id = bank and j.fact_id = any (facts);
    delete from memory.fact_version v where v.bank_id = bank and v.fact_id = any (facts);
    delete from memory.semantic_memory f where f.bank_id = bank and f.memory_id = any (facts);
end $$;

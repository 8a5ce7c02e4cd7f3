-- Sets `pinned` of facts from their latest 'pinned' or 'unpinned' judgement.
create or replace function memory_internal.apply_pins(bank text, facts uuid[]) returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    update memory.semantic_memory f
       set pinned = coalesce((select j.judgement = 'pinned'
                                from memory.fact_judgement j
                               where j.bank_id = bank and j.fact_id = f.memory_id and j.judgement in ('pinned', 'unpinned')
                               order by j.occurred_at desc, j.judgement_id desc
                               limit 1), false)
     where f.bank_id = bank and f.memory_id = any (facts);
end $$;

-- Returns the characters of all active and archived episodes divided by those of the active ones and the believed
-- facts: 3 means that a third is kept active; null for an empty bank.
create or replace function memory_api.compression_ratio(bank text) returns double precision
language plpgsql stable as $$
begin
    perform memory_internal.enter_bank(bank);
    return (
        select sum(length(e.summary))
               / nullif(coalesce(sum(length(e.summary)) filter (where e.status = 'active'), 0)
                        + (select coalesce(sum(length(f.fact)), 0)
                             from memory.semantic_memory f
                            where f.bank_id = bank and f.status in ('tentative', 'stable')), 0)::double precision
          from memory.episodic_memory e
         where e.bank_id = bank and e.status in ('active', 'archived'));
end $$;

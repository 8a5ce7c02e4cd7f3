-- Deprecates the norms above the bank's cap (most_norms, 50) and returns their number. Kept are pinned ones, then those
-- with the highest confidence, then the latest confirmed. Phase and ended norms do not count. The caller holds the
-- bank lock.
create or replace function memory_internal.enforce_norm_cap(bank text, at timestamptz) returns integer
language plpgsql as $$
declare
    excess uuid;
    dropped integer := 0;
begin
    perform memory_internal.enter_bank(bank);
    for excess in
        select n.memory_id
          from memory.relational_memory n
         where n.bank_id = bank and n.valid_to is null and n.status <> 'deprecated' and n.kind <> 'relationship_phase'
         order by n.pinned desc, round(n.confidence::numeric, 1) desc, n.last_confirmed desc, n.memory_id
        offset (select coalesce((b.settings ->> 'most_norms')::integer, 50) from memory.bank b where b.bank_id = bank)
    loop
        update memory.relational_memory n set status = 'deprecated' where n.bank_id = bank and n.memory_id = excess;
        perform memory_internal.record_norm_version(bank, excess, 'above the cap of norms', 'worker', at);
        dropped := dropped + 1;
    end loop;
    return dropped;
end $$;

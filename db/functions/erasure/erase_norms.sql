-- Removes what relational memory has from these episodes, and the norms in `norms`, and returns the ids of the norms
-- deleted. Called once the episodes are deleted (`stated`: the norms that they were evidence of; `observed`: whether
-- one of them was an exchange). Norms that a person or agent stated stay. The slots of other touched norms are written
-- again from the episodes that stay; so are the observations of style, sensitivity and phase, from the first exchange
-- on, because they are sums. The caller holds the bank lock.
create or replace function memory_internal.erase_norms(
    bank text, stated uuid[], norms uuid[], observed boolean, at timestamptz)
returns uuid[]
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    removed uuid[];
begin
    perform memory_internal.enter_bank(bank);
    removed := norms || array(
        select n.memory_id
          from memory.relational_memory n
         where n.bank_id = bank and n.memory_id <> all (norms) and n.extracted_by <> 'stated'
           and (observed and n.extracted_by = 'observation' and not n.pinned
                or exists (select from memory.relational_memory s
                            where s.bank_id = bank and s.memory_id = any (stated) and s.kind = n.kind and s.slot = n.slot)));
    if removed = '{}' and not observed then
        return removed;
    end if;
    delete from memory.relational_evidence v where v.bank_id = bank and v.norm_id = any (removed);
    update memory.relational_memory n
       set superseded_by = null, valid_to = null
     where n.bank_id = bank and n.superseded_by = any (removed) and n.memory_id <> all (removed)
       and not exists (select from memory.relational_memory o
                        where o.bank_id = bank and o.kind = n.kind and o.slot = n.slot and o.memory_id <> n.memory_id
                          and o.memory_id <> all (removed) and o.valid_to is null and o.status <> 'deprecated');
    delete from memory.relational_memory n where n.bank_id = bank and n.memory_id = any (removed);
    if observed then
        delete from memory.relationship r where r.bank_id = bank;
        update memory.episodic_memory e
           set observed_at = null
         where e.bank_id = bank and e.observed_at is not null;
    end if;
    perform memory_internal.write_stated_norms(bank, array(
        select e.memory_id from memory.episodic_memory e where e.bank_id = bank and e.signals ? 'norms'), at);
    perform memory_api.update_relational(bank, null, at);
    perform memory_internal.enqueue_work(bank, 'relational', bank, 0, at, at);
    return removed;
end $$;

-- Enqueues the update of relational memory (kind 'relational', one row per bank) if one of these episodes states a
-- norm, or if at least `relational_exchanges` (10) exchanges are not observed yet. Called by set_episodes_status.
create or replace function memory_internal.enqueue_relational(bank text, episodes uuid[], at timestamptz) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
    perform memory_internal.enter_bank(bank);
    if exists (select from memory.episodic_memory e
                where e.bank_id = bank and e.memory_id = any (episodes) and e.signals ? 'norms')
       or memory_internal.relational_exchanges() <= (
            select count(*)
              from (select from memory.episodic_memory e
                     where e.bank_id = bank and e.observed_at is null and e.signals ? 'style'
                       and e.status in ('active', 'archived', 'merged_into')
                     limit memory_internal.relational_exchanges()) as waiting)
    then
        perform memory_internal.enqueue_work(bank, 'relational', bank, 0, at, at);
    end if;
end $$;

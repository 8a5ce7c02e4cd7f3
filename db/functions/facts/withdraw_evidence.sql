-- Deletes the evidence that these episodes are and rebuilds the timelines of its facts. A fact without any other
-- evidence, confirmation or commit is dropped: deprecated until new evidence restores it, such as the changed content
-- of the episode that still states it. Evidence of retracted facts stays (find_retracted_fact). Called when the content
-- of an episode changes. The caller holds the bank lock.
create or replace function memory_internal.withdraw_evidence(
    bank text, episodes uuid[], reason text, actor text, at timestamptz)
returns void
language plpgsql as $$
declare
    facts uuid[];
begin
    perform memory_internal.enter_bank(bank);
    facts := array(
        select distinct f.memory_id
          from memory.fact_evidence v
          join memory.semantic_memory f on f.bank_id = v.bank_id and f.memory_id = v.fact_id
         where v.bank_id = bank and v.episode_id = any (episodes) and f.retracted_at is null
         order by f.memory_id);
    delete from memory.fact_evidence v
     where v.bank_id = bank and v.fact_id = any (facts) and v.episode_id = any (episodes);
    update memory.semantic_memory f
       set status = 'deprecated', dropped_at = at
     where f.bank_id = bank and f.memory_id = any (facts) and f.status <> 'merged_into'
       and not exists (select from memory.fact_evidence v where v.bank_id = bank and v.fact_id = f.memory_id)
       and not exists (select from memory.fact_judgement j
                        where j.bank_id = bank and j.fact_id = f.memory_id
                          and j.judgement in ('committed', 'confirmed'));
    perform memory_internal.rebuild_timelines(
        bank, memory_internal.timelines_of(bank, facts), reason, actor, at);
end $$;

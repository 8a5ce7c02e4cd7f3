-- Undoes a summary: its episodes become active again and are excluded from consolidation (restored_at), and the
-- summary is deprecated with its text and links. Facts drawn from them stay. Returns the number restored; episodes
-- whose status was changed for another reason since are left unchanged. Called by restore_memory. Takes the bank
-- lock.
create or replace function memory_internal.restore_episodes(
    bank text, memory uuid, actor text, at timestamptz default now())
returns integer
language plpgsql as $$
declare
    summarized uuid[];
begin
    perform memory_internal.lock_bank(bank);
    if not memory_internal.set_episode_status(
        bank, memory, (select case when e.summarizes is not null then array['active', 'archived'] else '{}' end
                          from memory.episodic_memory e where e.bank_id = bank and e.memory_id = memory),
        'deprecated', 'what it sums up was restored', actor, at) then
        return 0;
    end if;
    summarized := array(
        select e.memory_id
          from memory.memory_link l
          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = l.linked_id
         where l.bank_id = bank and l.memory_id = memory and l.reason = 'summary' and e.status in ('archived', 'deprecated')
           and 'consolidated into ' || memory = (
               select v.reason from memory.memory_event v
                where v.bank_id = bank and v.memory_id = e.memory_id and v.event = 'status'
                order by v.event_id desc limit 1)
         order by e.memory_id);
    perform memory_internal.mark_bank_due(bank, 0, at);
    update memory.episodic_memory e
       set restored_at = restore_episodes.at
     where e.bank_id = bank and e.memory_id = any (summarized);
    return memory_internal.set_episodes_status(
        bank, summarized, array['archived', 'deprecated'], 'active', 'restored from ' || memory, actor, restore_episodes.at);
end $$;

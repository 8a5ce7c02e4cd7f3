-- Brings back what the night put away: an archived episode is active again, a deprecated one is embedded anew and then
-- active, and both stay apart from now on; a fact that was dropped to make room is what its evidence makes of it; an active
-- summary is taken apart again (memory_internal.restore_episodes), and a deprecated one does not come back beside what it sums
-- up. The caps still hold: what is worth least goes again, unless there is room by then (a fact can be pinned). The answer
-- is its status, or no row where there is none of that id; of anything else nothing is brought back (ME011).
create or replace function memory_api.restore_memory(bank text, memory uuid, actor text, at timestamptz default now())
returns setof text
language plpgsql as $$
declare
    known text;
    sums text;
    dropped timestamptz;
begin
    perform memory_internal.require_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    select e.status, e.summarizes into known, sums
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = memory;
    if found then
        if known = 'active' and sums is not null then
            perform memory_internal.restore_episodes(bank, memory, restore_memory.actor, at);
        elsif known = 'archived' then
            update memory.episodic_memory e
               set restored_at = restore_memory.at
             where e.bank_id = bank and e.memory_id = memory and e.summarizes is null;
            perform memory_internal.set_episode_status(
                bank, memory, array['archived'], 'active', 'brought back', restore_memory.actor, at);
        elsif known = 'deprecated' and sums is null then
            update memory.episodic_memory e
               set restored_at = restore_memory.at
             where e.bank_id = bank and e.memory_id = memory;
            perform memory_internal.set_episode_status(
                bank, memory, array['deprecated'], 'pending_embedding', 'brought back', restore_memory.actor, at);
            perform memory_internal.enqueue_work(bank, 'embed', memory::text, 0, at, at);
        else
            raise exception using errcode = 'ME011', message = known;
        end if;
        perform memory_internal.mark_bank_due(bank, 0, at);
        return query select e.status from memory.episodic_memory e where e.bank_id = bank and e.memory_id = memory;
        return;
    end if;
    select f.status, f.dropped_at into known, dropped
      from memory.semantic_memory f
     where f.bank_id = bank and f.memory_id = memory;
    if not found then
        return;
    end if;
    if dropped is null then
        raise exception using errcode = 'ME011', message = known;
    end if;
    update memory.semantic_memory f set dropped_at = null where f.bank_id = bank and f.memory_id = memory;
    perform memory_internal.refresh_facts(bank, array[memory], 'brought back', restore_memory.actor, at);
    perform memory_internal.mark_bank_due(bank, 0, at);
    return query select f.status from memory.semantic_memory f where f.bank_id = bank and f.memory_id = memory;
end $$;

-- Restores what the nightly run archived or deprecated: an archived episode becomes active, a deprecated one is
-- embedded again and then active, and both are excluded from consolidation; a dropped fact or procedure gets the status
-- of its evidence; an active summary is undone (restore_episodes), a deprecated summary is not restored. Returns the
-- new status, or no row if the id does not exist; raises ME011 for any other status. The caps still apply: the next run
-- removes the lowest-ranked again unless there is room (a fact can be pinned). Takes the bank lock.
create or replace function memory_api.restore_memory(bank text, memory uuid, actor text, at timestamptz default now())
returns setof text
language plpgsql as $$
declare
    current_status text;
    summary_kind text;
    dropped_since timestamptz;
begin
    perform memory_internal.lock_bank(bank);
    select e.status, e.summarizes into current_status, summary_kind
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = memory;
    if found then
        if current_status = 'active' and summary_kind is not null then
            perform memory_internal.restore_episodes(bank, memory, restore_memory.actor, at);
        elsif current_status = 'archived' then
            update memory.episodic_memory e
               set restored_at = restore_memory.at
             where e.bank_id = bank and e.memory_id = memory and e.summarizes is null;
            perform memory_internal.set_episode_status(
                bank, memory, array['archived'], 'active', 'brought back', restore_memory.actor, at);
        elsif current_status = 'deprecated' and summary_kind is null then
            update memory.episodic_memory e
               set restored_at = restore_memory.at
             where e.bank_id = bank and e.memory_id = memory;
            perform memory_internal.set_episode_status(
                bank, memory, array['deprecated'], 'pending_embedding', 'brought back', restore_memory.actor, at);
            perform memory_internal.enqueue_work(bank, 'embed', memory::text, 0, at, at);
        else
            raise exception using errcode = 'ME011', message = current_status;
        end if;
        perform memory_internal.mark_bank_due(bank, 0, at);
        return query select e.status from memory.episodic_memory e where e.bank_id = bank and e.memory_id = memory;
        return;
    end if;
    select f.status, f.dropped_at into current_status, dropped_since
      from memory.semantic_memory f
     where f.bank_id = bank and f.memory_id = memory;
    if not found then
        select p.status, p.dropped_at into current_status, dropped_since
          from memory.procedural_memory p
         where p.bank_id = bank and p.memory_id = memory;
        if not found then
            return;
        elsif dropped_since is null then
            raise exception using errcode = 'ME011', message = current_status;
        end if;
        perform memory_internal.refresh_procedure(bank, memory, 'status', 'brought back', restore_memory.actor, at);
        perform memory_internal.mark_bank_due(bank, 0, at);
        return query
            select p.status from memory.procedural_memory p where p.bank_id = bank and p.memory_id = memory;
        return;
    end if;
    if dropped_since is null then
        raise exception using errcode = 'ME011', message = current_status;
    end if;
    update memory.semantic_memory f set dropped_at = null where f.bank_id = bank and f.memory_id = memory;
    perform memory_internal.refresh_facts(bank, array[memory], 'brought back', restore_memory.actor, at);
    perform memory_internal.mark_bank_due(bank, 0, at);
    return query select f.status from memory.semantic_memory f where f.bank_id = bank and f.memory_id = memory;
end $$;

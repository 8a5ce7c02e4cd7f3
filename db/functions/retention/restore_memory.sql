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
    dropped record;
begin
    perform memory_internal.lock_bank(bank);
    select e.status, e.summarizes into current_status, summary_kind
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = memory;
    if found then
        if current_status = 'active' and summary_kind is not null then
            perform memory_internal.restore_episodes(bank, memory, restore_memory.actor, at);
        elsif current_status = 'archived' or current_status = 'deprecated' and summary_kind is null then
            update memory.episodic_memory e
               set restored_at = restore_memory.at
             where e.bank_id = bank and e.memory_id = memory and e.summarizes is null;
            perform memory_internal.set_episode_status(
                bank, memory, array[current_status],
                case current_status when 'archived' then 'active' else 'pending_embedding' end, 'brought back',
                restore_memory.actor, at);
            if current_status = 'deprecated' then
                perform memory_internal.enqueue_work(bank, 'embed', memory::text, 0, at, at);
            end if;
        else
            raise exception using errcode = 'ME011', message = current_status;
        end if;
    else
        select m.status, m.dropped_at, m.is_fact into dropped
          from (select f.status, f.dropped_at, true as is_fact
                  from memory.semantic_memory f
                 where f.bank_id = bank and f.memory_id = memory
                 union all
                select p.status, p.dropped_at, false
                  from memory.procedural_memory p
                 where p.bank_id = bank and p.memory_id = memory) as m;
        if not found then
            return;
        elsif dropped.dropped_at is null then
            raise exception using errcode = 'ME011', message = dropped.status;
        elsif dropped.is_fact then
            update memory.semantic_memory f set dropped_at = null where f.bank_id = bank and f.memory_id = memory;
            perform memory_internal.refresh_facts(bank, array[memory], 'brought back', restore_memory.actor, at);
        else
            perform memory_internal.refresh_procedure(bank, memory, 'status', 'brought back', restore_memory.actor, at);
        end if;
    end if;
    perform memory_internal.mark_bank_due(bank, 0, at);
    return query select i.status from memory_api.memory_item i where i.bank_id = bank and i.memory_id = memory;
end $$;

-- Changes an episode's status from one of `from_statuses` and says why in memory_event. False where it was in
-- another status already.
create or replace function memory_api.move_episode(
    bank text, memory uuid, from_statuses text[], to_status text, reason text, actor text,
    at timestamptz default now())
returns boolean
language plpgsql as $$
declare
    old_status text;
begin
    perform memory_api.enter_bank(bank);
    select e.status into old_status
      from memory.episodic_memory e
     where e.bank_id = bank and e.memory_id = memory
       for update;
    if old_status is null or old_status <> all (from_statuses) then
        return false;
    end if;
    update memory.episodic_memory e set status = to_status where e.bank_id = bank and e.memory_id = memory;
    insert into memory.memory_event
        (bank_id, memory_id, memory_type, event, from_status, to_status, reason, actor, at)
    values (bank, memory, 'episodic', 'status', old_status, to_status, reason, actor, at);
    return true;
end $$;

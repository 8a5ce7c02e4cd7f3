-- What was said again is strengthened (S4): the older memory counts one more, and is looked at as just now; the new one
-- becomes merged_into it, keeps its text and still counts as evidence. Importance grows by 0.1 per later reference
-- (DESIGN §4, S2); it is a landmark where either is one. What the older one was before stands in the event's detail, so that it can be undone.
create or replace function memory_api.reinforce_episode(bank text, memory uuid, known uuid, at timestamptz)
returns void
language plpgsql as $$
declare
    before jsonb;
begin
    perform memory_api.enter_bank(bank);
    select jsonb_build_object(
               'merged', memory, 'importance', k.importance, 'landmark', k.landmark, 'tags', k.tags,
               'recipients', k.recipients, 'last_accessed_at', k.last_accessed_at)
      into before
      from memory.episodic_memory k
     where k.bank_id = bank and k.memory_id = known
       for no key update;
    update memory.episodic_memory k
       set represents = k.represents + 1,
           access_count = k.access_count + 1,
           last_accessed_at = greatest(k.last_accessed_at, at),
           importance = least(1, k.importance + 0.1),
           landmark = k.landmark or f.landmark or k.importance + 0.1 > 0.8,
           tags = array(select distinct tag from unnest(k.tags || f.tags) as tag order by tag),
           recipients = array(select distinct name from unnest(k.recipients || f.recipients) as name order by name)
      from memory.episodic_memory f
     where k.bank_id = bank and k.memory_id = known and f.bank_id = bank and f.memory_id = memory;
    update memory.episodic_memory f set merged_into_id = known where f.bank_id = bank and f.memory_id = memory;
    perform memory_api.move_episode(
        bank, memory, array['pending_embedding', 'active'], 'merged_into', 'near duplicate of ' || known, 'worker', at);
    insert into memory.memory_event
        (bank_id, memory_id, memory_type, event, from_status, to_status, reason, actor, at, detail)
    values (bank, known, 'episodic', 'reinforced', 'active', 'active', 'said again in ' || memory, 'worker', at, before);
end $$;

-- Archives, deprecates or drops the memories above a bank's caps (memories_over_caps), at most `page` per call, and
-- returns them. All can be restored (restore_memory): an archived episode is still found by tools, a deprecated one
-- keeps its text but loses vector and words, a dropped fact or procedure is deprecated until it gets new evidence.
-- Called by the nightly budget pass and after every 50 activations. Takes the bank lock.
create or replace function memory_api.enforce_caps(
    bank text, page integer default 1000, actor text default 'budget', most_active integer default null,
    most_archived integer default null, most_facts integer default null, most_procedures integer default null,
    at timestamptz default now(), default_intake text default null)
returns table (memory_id uuid, memory_type text, act text, reason text)
language plpgsql as $$
declare
    excess record;
    dropped record;
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    for excess in
        select o.memory_type, o.act, o.reason, array_agg(o.memory_id order by o.memory_id) as memories
          from memory_internal.memories_over_caps(
                   bank, page, most_active, most_archived, most_facts, most_procedures, at, default_intake) as o
         group by o.memory_type, o.act, o.reason
         order by o.memory_type, o.act
    loop
        if excess.memory_type = 'episodic' then
            perform memory_internal.set_episodes_status(
                bank, excess.memories, array['active', 'archived'], excess.act, excess.reason, enforce_caps.actor, at);
            if excess.act = 'deprecated' then
                delete from memory.memory_vector v
                 where v.bank_id = bank and v.memory_id = any (excess.memories) and v.tier = 'episodic';
                perform memory_internal.index_vectors(bank, excess.memories);
            end if;
        elsif excess.memory_type = 'procedural' then
            for dropped in
                select p.memory_id, p.status
                  from memory.procedural_memory p
                 where p.bank_id = bank and p.memory_id = any (excess.memories)
                 order by p.memory_id
            loop
                update memory.procedural_memory p
                   set status = 'deprecated', dropped_at = at
                 where p.bank_id = bank and p.memory_id = dropped.memory_id;
                perform memory_internal.record_procedure(
                    bank, dropped.memory_id, 'status', dropped.status, excess.reason, enforce_caps.actor, at);
            end loop;
        else
            update memory.semantic_memory f
               set dropped_at = at, status = 'deprecated'
             where f.bank_id = bank and f.memory_id = any (excess.memories);
            perform memory_internal.refresh_facts(bank, excess.memories, excess.reason, enforce_caps.actor, at);
        end if;
        return query
            select m, excess.memory_type, excess.act, excess.reason from unnest(excess.memories) as m;
    end loop;
end $$;

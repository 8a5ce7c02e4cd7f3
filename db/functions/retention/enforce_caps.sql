-- Brings a bank within its caps (memories_over_caps), at most `page` memories a call; the answer is what was done. Everything stays
-- and can be brought back (memory_api.restore_memory): an archived episode is found by tools, a deprecated one keeps its text
-- and loses its vector and words, a dropped fact is deprecated until more is known of it.
create or replace function memory_api.enforce_caps(
    bank text, page integer default 1000, actor text default 'budget', most_active integer default null,
    most_archived integer default null, most_facts integer default null, at timestamptz default now())
returns table (memory_id uuid, memory_type text, act text, reason text)
language plpgsql as $$
declare
    over record;
begin
    perform memory_internal.enter_bank(bank);
    perform from memory.bank b where b.bank_id = bank for no key update;
    for over in
        select o.memory_type, o.act, o.reason, array_agg(o.memory_id order by o.memory_id) as memories
          from memory_internal.memories_over_caps(bank, page, most_active, most_archived, most_facts, at) as o
         group by o.memory_type, o.act, o.reason
         order by o.memory_type, o.act
    loop
        if over.memory_type = 'episodic' then
            perform memory_internal.set_episodes_status(
                bank, over.memories, array['active', 'archived'], over.act, over.reason, enforce_caps.actor, at);
            if over.act = 'deprecated' then
                delete from memory.memory_vector v
                 where v.bank_id = bank and v.memory_id = any (over.memories) and v.tier = 'episodic';
                perform memory_internal.index_vectors(bank, over.memories);
            end if;
        else
            update memory.semantic_memory f
               set dropped_at = at, status = 'deprecated'
             where f.bank_id = bank and f.memory_id = any (over.memories);
            perform memory_internal.refresh_facts(bank, over.memories, over.reason, enforce_caps.actor, at);
        end if;
        return query
            select m, over.memory_type, over.act, over.reason from unnest(over.memories) as m;
    end loop;
end $$;

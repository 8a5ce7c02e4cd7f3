-- Writes norms that a person or agent states through an interface: {kind, slot, norm, situation, value, level}. Each
-- replaces the norm of its slot, a pinned one too, and is pinned: only another call changes it. The same again changes
-- nothing. Returns the ids in order. The worker embeds new norms. Takes the bank lock.
create or replace function memory_api.put_norms(
    bank text, norms jsonb, actor text, agent text default null, at timestamptz default now())
returns uuid[]
language plpgsql as $$
declare
    given record;
    present memory.relational_memory;
    ids uuid[] := '{}';
begin
    perform memory_internal.lock_bank(bank);
    for given in
        select g.kind, g.slot, g.norm, coalesce(g.situation, '') as situation, g.value, g.level
          from jsonb_array_elements(norms) with ordinality as n (norm, place)
         cross join lateral jsonb_to_record(n.norm) as g (
               kind text, slot text, norm text, situation text, value text, level double precision)
         order by n.place
    loop
        present := memory_internal.norm_in_force(bank, given.kind, given.slot);
        if present.pinned and present.norm = given.norm and present.situation = given.situation
           and present.level is not distinct from given.level then
            ids := ids || present.memory_id;
            continue;
        end if;
        ids := ids || memory_internal.insert_norm(
            bank, given.kind, given.slot, given.norm, given.situation, given.value, given.level, 0.95, 'stable', true,
            'agent', agent, 'stated', greatest(at, present.valid_from), 'stated by ' || actor, actor, at);
    end loop;
    perform memory_internal.enforce_norm_cap(bank, at);
    perform memory_internal.end_instruction_facts(bank, at);
    perform memory_internal.enqueue_work(bank, 'relational', bank, 0, at, at);
    perform memory_internal.mark_bank_due(bank, 0, at);
    return ids;
end $$;

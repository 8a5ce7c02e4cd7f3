-- Moves facts whose subject is a bare name, or the role of a person who was named in it first, to the subject that
-- resolve_person returns now, after `naming` (facts such as "user's son is called Finn") was written: the facts about a
-- person are the same in whatever order they arrive. Rebuilds the timelines that they move to. Called by
-- write_statements, which holds the bank lock.
create or replace function memory_internal.rename_person(bank text, naming uuid, actor text, at timestamptz) returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    moved uuid[];
begin
    perform memory_internal.enter_bank(bank);
    with person as (
        select k.*, memory_internal.resolve_person(bank, k.owner || k.role || ' ' || k.name) as resolved
          from memory.semantic_memory n
          join memory_internal.known_people(bank) as k on k.owner = lower(n.subject) || '''s ' and k.name = lower(n.value)
         where n.bank_id = bank and n.memory_id = naming
    ),
    changed as (
        update memory.semantic_memory f
           set subject = p.resolved,
               timeline = memory_internal.timeline_key(p.resolved, f.attribute, f.value, f.cardinality, f.fingerprint)
          from person p
         where f.bank_id = bank and f.status <> 'merged_into' and f.subject <> p.resolved
           and (lower(f.subject) = p.name and p.of_name = 1 and not exists (
                    select from memory.message m where m.bank_id = bank and lower(m.name) = p.name)
                or lower(f.subject) = p.owner || p.role and p.is_first
                   and p.kind in ('child', 'sibling', 'pet', 'grandchild'))
        returning f.memory_id
    )
    select array_agg(c.memory_id) into moved from changed c;
    perform memory_internal.rebuild_timelines(
        bank, memory_internal.timelines_of(bank, moved), 'the person is known by name', actor, at);
end $$;

-- Returns the subject under which the bank keeps facts about a person or an animal of someone, given a subject that
-- names them or their role: "finn", "user's child finn", and "user's son" while only one son is known by name, are all
-- "user's son finn" (known_people). It is the subject that facts about them already have. Of a role that one person has
-- (a mother, a wife) it is always the role. Without such a person, or with two of the name, the subject is returned
-- unchanged. Called by write_statements and place_fact, which hold the bank lock.
create or replace function memory_internal.resolve_person(bank text, of_subject text) returns text
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
    given text := lower(of_subject);
    person record;
    existing text;
begin
    if given is null or given = 'user' or given !~ '''s |^[[:alpha:]''-]+( [[:alpha:]''-]+)?$' then
        return of_subject;
    end if;
    select k.owner, k.name, k.kind, k.owner || k.role as by_role, k.is_single
      into person
      from memory_internal.known_people(bank) as k
     where given = k.owner || k.role || ' ' || k.name
        or memory_internal.is_called(given, k.owner, k.kind, k.name)
        or k.of_name = 1 and given = k.name
        or k.of_role = 1 and k.is_open and k.kind in ('child', 'sibling', 'pet', 'grandchild') and given = k.owner || k.role
     order by given = k.owner || k.role || ' ' || k.name desc
     limit 1;
    if not found then
        return of_subject;
    elsif person.is_single then
        return person.by_role;
    end if;
    select f.subject into existing
      from memory.semantic_memory f
     where f.bank_id = bank and f.status <> 'merged_into'
       and memory_internal.is_called(lower(f.subject), person.owner, person.kind, person.name)
     order by f.first_observed, f.memory_id
     limit 1;
    return coalesce(existing, person.by_role || ' ' || person.name);
end $$;

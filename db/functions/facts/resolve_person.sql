-- Returns the subject under which the bank keeps facts about a person or an animal of someone, given a subject that
-- names them or their role: "finn", "user's child finn", and "user's son" while only one son is known by name, may all
-- be "user's son finn". Known are those whom a fact names ("user's son is called Finn"). It is the subject that facts
-- about them already have; facts about "user's son" from before he was named belong to the first named son. Of a role
-- that one person has (a mother, a wife) it is always the role. Without such a person, or with two of the name and
-- another role, the subject is returned unchanged. Called by write_statements and place_fact, which hold the bank lock.
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
    with named as (
        select lower(f.subject) as owner, lower(f.value) as name, f.first_observed, f.valid_to is null as is_open,
               f.fact !~* '\m(another|second|third|new|other)\M' as may_be_first,
               (regexp_match(lower(f.fact), '(?:''s|\m(?:has|have)(?: an?)?) ([a-z][a-z -]*?) (?:is )?(?:called|named) '))[1]
                   as role
          from memory.semantic_memory f
         where f.bank_id = bank and f.value is not null and f.subject is not null
           and (f.attribute in ('child', 'sibling', 'pet', 'friend', 'best_friend') or f.attribute like '%\_name')
           and f.status <> 'merged_into' and f.retracted_at is null
    ),
    people as (
        select n.owner, n.name, memory_internal.kind_of_role(n.role) as kind, bool_or(n.is_open) as is_open,
               bool_and(n.may_be_first) as may_be_first, min(n.first_observed) as since,
               (array_agg(n.role order by n.first_observed, n.role))[1] as role
          from named n
         where n.role is not null
         group by n.owner, n.name, memory_internal.kind_of_role(n.role)
    ),
    counted as (
        select p.owner || '''s ' as owner, p.name, p.role, p.kind, p.is_open,
               p.kind in ('child', 'sibling', 'pet', 'grandchild') as is_often_single,
               p.kind !~ '^(child|sibling|pet|grandchild|friend|colleague|neighbou?r|cousin|client|customer|patient|student|pupil|'
                         'classmate|teammate|employee|tenant|flatmate|roommate|housemate|aunt|uncle|niece|nephew)$'
                   as is_single,
               count(*) filter (where p.is_open) over (partition by p.owner, p.role) as of_role,
               p.may_be_first and row_number() over (partition by p.owner, p.kind, p.role order by p.since, p.name) = 1
                   as is_first,
               count(*) over (partition by p.name) as of_name
          from people p
    )
    select c.owner, c.name, c.kind, c.owner || c.role as by_role, c.is_single, c.is_first and c.is_often_single as has_role
      into person
      from counted c
     where given = c.owner || c.role || ' ' || c.name
        or left(given, length(c.owner)) = c.owner and right(given, length(c.name) + 1) = ' ' || c.name
           and memory_internal.kind_of_role(substr(given, length(c.owner) + 1, length(given) - length(c.owner || c.name) - 1))
               = c.kind
        or c.of_name = 1 and given = c.name
        or c.of_role = 1 and c.is_open and c.is_often_single and given = c.owner || c.role
     order by given = c.owner || c.role || ' ' || c.name desc
     limit 1;
    if not found then
        return of_subject;
    elsif person.is_single then
        return person.by_role;
    end if;
    select f.subject into existing
      from memory.semantic_memory f
     where f.bank_id = bank and f.status <> 'merged_into' and left(lower(f.subject), length(person.owner)) = person.owner
       and (lower(f.subject) = person.by_role and person.has_role
            or right(lower(f.subject), length(person.name) + 1) = ' ' || person.name
               and memory_internal.kind_of_role(
                       substr(lower(f.subject), length(person.owner) + 1,
                              length(f.subject) - length(person.owner || person.name) - 1)) = person.kind)
     order by lower(f.subject) = person.by_role, f.first_observed, f.memory_id
     limit 1;
    return coalesce(existing, person.by_role || ' ' || person.name);
end $$;

-- Returns the persons and animals whom facts of the bank name ("user's son is called Finn"): their owner as it begins a
-- subject ("user's "), name, role, its kind (kind_of_role), whether the naming fact still holds, how many open ones
-- have the role, whether the person was named first in it, how many have the name, and whether one person alone has
-- such a role (a mother, a wife). Called by resolve_person and rename_person.
create or replace function memory_internal.known_people(bank text)
returns table (owner text, name text, role text, kind text, is_open boolean, of_role bigint, is_first boolean,
               of_name bigint, is_single boolean)
language sql stable as $$
    with named as (
        select lower(f.subject) || '''s ' as owner, lower(f.value) as name, f.first_observed, f.valid_to is null as is_open,
               f.fact !~* '\m(another|second|third|new|other)\M' as may_be_first,
               (regexp_match(lower(f.fact), '(?:''s|\m(?:has|have)(?: an?)?) ([a-z][a-z -]*?) (?:is )?(?:called|named) '))[1]
                   as role
          from memory.semantic_memory f
         where f.bank_id = bank and f.value is not null and f.subject is not null
           and memory_internal.names_someone(f.attribute)
           and f.status <> 'merged_into' and f.retracted_at is null
    ),
    people as (
        select n.owner, n.name, memory_internal.kind_of_role(n.role) as kind, bool_or(n.is_open) as is_open,
               bool_and(n.may_be_first) as may_be_first, min(n.first_observed) as since,
               (array_agg(n.role order by n.first_observed, n.role))[1] as role
          from named n
         where n.role is not null
         group by n.owner, n.name, memory_internal.kind_of_role(n.role)
    )
    select p.owner, p.name, p.role, p.kind, p.is_open,
           count(*) filter (where p.is_open) over (partition by p.owner, p.role),
           p.may_be_first and row_number() over (partition by p.owner, p.role order by p.since, p.name) = 1,
           count(*) over (partition by p.name),
           p.kind !~ ('^(child|sibling|pet|grandchild|friend|colleague|neighbou?r|cousin|client|customer|patient|student|pupil|'
                      'classmate|teammate|employee|tenant|flatmate|roommate|housemate|aunt|uncle|niece|nephew)$')
      from people p
$$;

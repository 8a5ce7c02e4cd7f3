-- Returns the subject under which the bank keeps facts about a person or an animal of someone, given a subject that
-- names them or their role: "finn", "user's child finn", and "user's son" while only one son is known by name, may all
-- be "user's son finn". Known are those whom a fact names ("user's son is called Finn"). It is the subject that facts
-- about them already have; facts about "user's son" from before he was named belong to the first named son. Without
-- such a person, or with two of the name, the subject is returned unchanged. Called by write_statements and
-- place_committed_fact, which hold the bank lock.
create or replace function memory_internal.resolve_person(bank text, of_subject text) returns text
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
    asked text := lower(of_subject);
    person record;
    existing text;
begin
    if asked is null or asked = 'user' or asked !~ '''s |^[[:alpha:]''-]+( [[:alpha:]''-]+)?$' then
        return of_subject;
    end if;
    with named as (
        select lower(f.subject) as owner, lower(f.value) as name, f.attribute, f.first_observed,
               (regexp_match(lower(f.fact), '(?:''s|\m(?:has|have)(?: an?)?) ([a-z][a-z -]*?) (?:is )?(?:called|named) '))[1]
                   as role
          from memory.semantic_memory f
         where f.bank_id = bank and f.attribute ~ '^(child|sibling|pet|friend|best_friend)$|_name$' and f.value is not null
           and f.subject is not null and f.status <> 'merged_into' and f.retracted_at is null
    ),
    people as (
        select n.owner, n.name, n.attribute, min(n.role) as role, min(n.first_observed) as since
          from named n
         where n.role is not null
         group by n.owner, n.name, n.attribute
    ),
    counted as (
        select p.owner || '''s ' as whose, p.name, p.role,
               p.role ~ ('(son|daughter|child|baby|boy|girl|twin|brother|sister|sibling|dog|cat|puppy|kitten|rabbit|horse|'
                         'pony|parrot|hamster|tortoise)$') as is_often_single,
               count(*) over (partition by p.owner, p.role) as of_role,
               row_number() over (partition by p.owner, p.role order by p.since, p.name) = 1 as is_first,
               count(*) over (partition by p.name) as of_name
          from people p
    )
    select c.whose, c.name, c.whose || c.role as by_role, c.is_first and c.is_often_single as has_role
      into person
      from counted c
     where asked = c.whose || c.role || ' ' || c.name
        or c.of_name = 1 and (asked = c.name or (left(asked, length(c.whose)) = c.whose
                                                 and right(asked, length(c.name) + 1) = ' ' || c.name))
        or c.of_role = 1 and c.is_often_single and asked = c.whose || c.role
     order by asked = c.whose || c.role || ' ' || c.name desc
     limit 1;
    if not found then
        return of_subject;
    end if;
    select f.subject into existing
      from memory.semantic_memory f
     where f.bank_id = bank and f.status <> 'merged_into'
       and (lower(f.subject) = person.by_role and person.has_role
            or left(lower(f.subject), length(person.whose)) = person.whose
               and right(lower(f.subject), length(person.name) + 1) = ' ' || person.name)
     order by lower(f.subject) = person.by_role, f.first_observed, f.memory_id
     limit 1;
    return coalesce(existing, person.by_role || ' ' || person.name);
end $$;

-- Returns the open facts, begun before `moment`, that end when a person or an animal of `of_owner` dies (`is_dead`) or
-- an animal is given away. `who` is a name ("karl") or a role ("grandma"; "partner" is any partner). Nothing where it
-- stands for several: Karl is the husband and an uncle.
--   the name             "user's husband is called Karl"; of a partner the relationship too
--   `has`                "user has a cat", if no other cat is known by name; "user has two cats"
--   facts of the subject home, work, illnesses, habits; not birthdays, dates and the death itself
--   lives_with           them, by name or role
-- Called by facts_ended_by.
create or replace function memory_internal.facts_of_lost(
    bank text, of_owner text, who text, is_dead boolean, moment timestamptz)
returns setof uuid
language sql stable as $$
    with known as (
        select f.memory_id, f.attribute, lower(f.value) as value, lower(f.subject) = lower(of_owner) as is_own,
               memory_internal.kin_word(coalesce(
                   (regexp_match(lower(f.fact), '''s ([a-z][a-z -]*?) (?:is|was) (?:called|named) '))[1],
                   case when f.attribute = 'partner' then 'partner' end)) as role,
               split_part(substr(lower(f.subject), length(of_owner) + 4), ' ', 1) as of_role,
               substr(lower(f.subject), length(of_owner) + 4) as of_person
          from memory.semantic_memory f
         where f.bank_id = bank and f.status <> 'merged_into' and f.retracted_at is null and f.valid_to is null
           and f.valid_from < facts_of_lost.moment and f.attribute is not null
           and (lower(f.subject) = lower(of_owner) or starts_with(lower(f.subject), lower(of_owner) || '''s '))
    ),
    given as (
        select lower(who) as name, memory_internal.kin_word(who) as role,
               lower(who) ~ '^(partner|husband|wife|boyfriend|girlfriend|spouse|fianc\w*)$' as is_partner
    ),
    named as (
        select k.memory_id, k.attribute, k.value, k.role
          from known k
         where k.is_own and k.role is not null
           and (k.attribute = 'partner' or memory_internal.names_someone(k.attribute))
           and (is_dead or k.attribute = 'pet')
    ),
    lost as (
        select n.memory_id, n.attribute, n.value, n.role
          from named n, given g
         where n.value = g.name or starts_with(n.value, g.name || ' ') or n.role = g.role
            or g.is_partner and n.attribute = 'partner'
    ),
    one as (  -- the name is null of one that is known by the role alone
        select max(l.value) as name, coalesce(max(l.role), g.role) as role,
               g.is_partner or coalesce(bool_or(l.attribute = 'partner'), false) as is_partner,
               coalesce(bool_or(l.attribute = 'pet'), memory_internal.kind_of_role(g.role) = 'pet') as is_animal
          from given g left join lost l on true
         group by g.role, g.is_partner
        having count(distinct (l.value, l.role)) filter (where l.memory_id is not null) <= 1
    ),
    things as (
        select k.memory_id, k.value
          from known k, one o
         where k.is_own and k.attribute = 'has' and o.is_animal
           and memory_internal.kin_word(
                   split_part(regexp_replace(k.value, ' (called|named) .*', ''), ' ', -1)) = o.role
           and not exists (select from named n where n.role = o.role and n.value is distinct from o.name)
           and not exists (
            select from known c
             where c.is_own and c.attribute = 'number_of_' || o.role || 's' and c.value !~ '^(1|one|an?)\M')
    )
    select l.memory_id from lost l, one
     union
    select t.memory_id from things t where (select count(distinct other.value) = 1 from things other)
     union
    select k.memory_id
      from known k, one o
     where k.is_own
       and (o.is_animal and o.name is not null and k.attribute = 'number_of_' || o.role || 's'
            or o.is_partner and is_dead and k.attribute = 'relationship_status' and k.value <> 'widowed'
            or k.attribute = 'lives_with'
               and (memory_internal.kin_word(k.value) = o.role
                    or starts_with(k.value || ' ', o.role || ' ') or starts_with(k.value || ' ', o.name || ' ')
                    or k.value like '% ' || o.name))
     union
    select k.memory_id
      from known k, one o
     where not k.is_own
       and (o.name is not null or o.is_partner or o.is_animal
            or o.role in ('mother', 'father', 'grandmother', 'grandfather'))
       and (memory_internal.kin_word(k.of_role) || substr(k.of_person, length(k.of_role) + 1)
                in (o.role, o.role || ' ' || o.name)
            or o.is_partner and k.of_role ~ '^(partner|husband|wife|boyfriend|girlfriend|spouse|fianc\w*)$'
               and substr(k.of_person, length(k.of_role) + 2) in ('', o.name))
       and k.attribute !~ '(^|_)(died|birthday|birth_year|born|anniversary|date|name)$'
       and (o.is_animal
            or k.attribute ~ ('^(lives_in|lives_in_country|works_at|works_as|works_in|studies|studies_at|has_condition|'
                              'takes_medicine|\w+_dose|drives|uses|habit|hobby|likes|dislikes|goal|plays|diet|'
                              'does_not_eat|age|is|identity|allergic_to|lives_with)$'))
$$;

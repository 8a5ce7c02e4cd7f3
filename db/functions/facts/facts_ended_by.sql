-- Returns the open facts, begun before `moment`, that an ending also ends although they are in other timelines:
--   without a value  all values of the attribute ("my new dentist is Dr Bell": the former one); for the date of a
--                    surgery, a viva or a wedding also that of the only one with a longer name ("my surgery
--                    is off": the cataract surgery)
--   with a value     habits, goals and workplaces that name it ("I no longer play bridge": "plays bridge on
--                    Thursdays"); an activity also by its verb ("I stopped running": "runs every Sunday");
--                    of a tool also a backend, database, editor or hosting. Of a workplace or tool no habit of going
--                    there: who leaves a shop as its employee may shop in it.
--                    of a workplace also "Nokia in Espoo"; of a car ("the Panda") the one whose name has the words;
--                    of a bank ("I closed my Barclays account") also the attribute `bank`;
--                    of an injury those of the same side ("left wrist"), or the only one of that part of the body;
--                    of a flatmate or partner also that the user lives with them ("my flatmate moved out");
--                    of the life of a person or animal (`alive`, by name or role), or of an animal that was given away
--                    (`named_animal`): facts_of_lost;
--                    of a job (`job_held`) the titles stated together with the workplace, without a value all titles,
--                    but for those of a trade ("an electrician by trade", "a qualified teacher")
--                    that a named person has a role: that role, unless the name stands for several of the roles that
--                    such an ending concerns (a company has no dentist)
--                    of a medicine (`treatment`, `short_treatment`: one of a short course) or an illness (`recovered`)
--                    those that have the words, and the only medicine ("finished the pills")
--                    that someone is pregnant: sentences without an attribute that say so
--                    of an appointment those that begin with it ("passed my driving test")
--                    of a schedule the habits and days ("yoga_day") of the same activity that name such a time
--                    (replaces_schedule); of a former schedule those at that time only
-- An older statement that arrives later than the ending is not ended, unlike one of the same timeline. Facts with
-- evidence of the `episode` itself are left out. Called by write_statements, which holds the bank lock.
create or replace function memory_internal.facts_ended_by(
    bank text, episode uuid, of_subject text, of_attribute text, of_value text, moment timestamptz)
returns setof uuid
language sql stable as $$
    with named as (
        select f.memory_id, f.attribute, f.value, lower(f.subject) is not distinct from lower(of_subject) as is_own,
               ' ' || regexp_replace(lower(f.value), '[^[:alnum:]]+', ' ', 'g') || ' ' as words,
               '% ' || regexp_replace(lower(of_value), '[^[:alnum:]]+', ' ', 'g') || ' %' as pattern,
               -- "running" and "runs every sunday", not "runs a book club"
               lower(of_value) ~ '^[a-z]{3,}ing$' and lower(f.value) ~ (
                   '^' || regexp_replace(lower(of_value), '([bdgklmnprt])\1ing$|ing$', '\1')
                   || '(e?s)?\M(?! (an?|the|my) )') as is_done
          from memory.semantic_memory f
         where f.bank_id = bank and f.status <> 'merged_into' and f.retracted_at is null and f.valid_to is null
           and f.valid_from < facts_ended_by.moment
           and (lower(f.subject) is not distinct from lower(of_subject)
                   and (f.attribute is not null
                        or of_attribute = 'is' and of_value = 'pregnant' and f.fact ~* ' is (\w+ ){0,2}pregnant\M')
                or of_attribute = 'partner' and lower(f.subject) = lower(of_value)
                   and (f.attribute = 'partner' and lower(f.value) = lower(of_subject)
                        or f.attribute = 'relationship_status' and f.value = 'in a relationship'
                           and exists (
                            select from memory.semantic_memory p
                             where p.bank_id = bank and p.subject = f.subject and p.attribute = 'partner'
                               and lower(p.value) = lower(of_subject) and p.status <> 'merged_into')))
           and not exists (
            select from memory.fact_evidence e
             where e.bank_id = bank and e.fact_id = f.memory_id and e.episode_id = episode)
    ),
    roles as (
        select n.*, substring(n.attribute from '^(' || (
                   select string_agg(k.roles, '|')
                     from (values
                         ('work', 'colleague|boss|manager|line_manager|team_lead|lead|supervisor|mentor|assistant|'
                                  'secretary'),
                         ('practice', 'doctor|gp|dentist|therapist|physio|physiotherapist|psychologist|psychiatrist|'
                                      'vet|midwife|optician|lawyer|solicitor|accountant'),
                         ('school', 'teacher|tutor|coach|trainer|conductor'),
                         (null, 'hairdresser|barber|plumber|electrician|builder|mechanic|gardener|cleaner|nanny|'
                                'babysitter')
                     ) as k (kind, roles)
                    where of_attribute in (k.kind || '_role_held_by', 'role_held_by')) || ')(?:_name)?$') as role
          from named n
    ),
    titles as (
        select n.memory_id, lower(n.value) as title
          from named n
         where of_attribute = 'job_held' and n.attribute = 'works_as'
           and n.value !~* ('\m(retired|student|freelanc\w*|self-employed|unemployed|founder|owner|house\w+|'
                            'qualified|trained|licensed|chartered|registered)\M')
           and not exists (
            select from memory.fact_evidence e
              join memory.episodic_memory m on m.bank_id = bank and m.memory_id = e.episode_id
             where e.bank_id = bank and e.fact_id = n.memory_id and e.holds
               and m.full_text::text ~* '\mby (trade|training|profession)\M')
           and (of_value is null
                or exists (
                 select from memory.fact_evidence e
                   join memory.fact_evidence o on o.bank_id = bank and o.episode_id = e.episode_id and o.holds
                   join memory.semantic_memory w on w.bank_id = bank and w.memory_id = o.fact_id
                  where e.bank_id = bank and e.fact_id = n.memory_id and e.holds and w.attribute = 'works_at'
                    and lower(w.subject) = lower(of_subject)
                    and (lower(w.value) = lower(of_value)
                         or starts_with(lower(w.value), lower(of_value) || ' in '))))
    ),
    treated as (
        select n.memory_id, n.value, n.words like n.pattern as is_named
          from named n
         where n.is_own
           and case of_attribute
                   when 'recovered' then n.attribute = 'has_condition'
                   when 'treatment' then n.attribute = 'takes_medicine'
                   when 'short_treatment'
                       then n.attribute = 'takes_medicine'
                            and memory_internal.longest_state(n.attribute, n.value) is not null
                   else false end
    ),
    treatments as (
        select t.memory_id
          from treated t
         where t.is_named
            or of_value ~* '^(pills?|tablets?|meds|medication|medicines?|capsules?|antibiotics?|course)$'
               and of_attribute <> 'recovered' and (select count(distinct lower(m.value)) = 1 from treated m)
         union
        select n.memory_id
          from named n
         where n.is_own and of_attribute in ('treatment', 'short_treatment')
           and n.attribute = replace(lower(of_value), ' ', '_') || '_dose'
    ),
    injuries as (
        select n.memory_id, n.words like n.pattern as is_named, substring(n.words from ' (left|right) ') as side
          from named n
         where of_attribute = 'injury' and n.is_own and n.attribute = 'injury'
           and n.words like '% ' || regexp_replace(lower(of_value), '^(left|right) ', '') || ' %'
    ),
    healed as (
        select i.memory_id
          from injuries i
         where of_value ~* '^(left|right) ' and i.is_named
            or (of_value !~* '^(left|right) ' or i.side is null) and (select count(*) = 1 from injuries)
    ),
    holders as (
        select r.memory_id, r.value, r.role
          from roles r
         where r.role is not null
           and (lower(r.value) = lower(of_value) or starts_with(lower(r.value), lower(of_value) || ' '))
    ),
    events as (
        select distinct n.attribute
          from named n
         where n.is_own and of_attribute ~ '^([a-z_]+_)?(surgery|operation|op|procedure|viva|wedding)_date$'
           and n.attribute ~ ('(^|_)' || of_attribute || '$')
    )
    select n.memory_id
      from roles n
     where not n.is_own
        or case when of_attribute = 'partner'
                    then n.attribute = 'lives_with'
                         and (n.words like n.pattern
                              or n.words ~ '^ (partner|boyfriend|girlfriend|husband|wife|spouse|fianc\w*) ')
                when of_attribute = 'job_held'
                    then n.memory_id in (select t.memory_id from titles t)
                         or n.attribute = 'is'
                            and regexp_replace(lower(n.value), '^an? ', '') in (select t.title from titles t)
                when of_value is null
                    then n.attribute = of_attribute
                         or n.attribute in (select e.attribute from events e)
                            and (select count(*) = 1 from events)
                when of_attribute = 'is' and n.attribute is null then of_value = 'pregnant'
                when of_attribute in ('treatment', 'short_treatment', 'recovered')
                    then n.memory_id in (select t.memory_id from treatments t)
                when of_attribute = 'drives' then n.attribute = 'drives' and n.words like n.pattern
                when of_attribute = 'injury' then n.memory_id in (select i.memory_id from healed i)
                when of_attribute = 'bank_name' then n.attribute = 'bank' and lower(n.value) = lower(of_value)
                when of_attribute = 'works_at' and n.attribute = 'works_at'
                    then starts_with(lower(n.value), lower(of_value) || ' in ')
                when of_attribute = 'lives_with' then n.attribute = 'lives_with' and n.words like n.pattern
                when of_attribute in ('schedule', 'former_schedule')
                    then n.attribute ~ '^habit$|_(day|time)$'
                         and memory_internal.replaces_schedule(
                             of_value,
                             case when n.attribute = 'habit' then n.value
                                  else replace(regexp_replace(n.attribute, '_(day|time)$', ''), '_', ' ')
                                       || case when n.attribute like '%_day' then ' on ' else ' at ' end || n.value end,
                             of_attribute = 'former_schedule')
                when of_attribute like '%role\_held\_by'
                    then n.memory_id in (select h.memory_id from holders h)
                         and (select count(distinct (h.role, lower(h.value))) = 1 from holders h)
                when of_attribute = 'goal' and of_value ~* '^(buy|saving for) '
                    then n.attribute = of_attribute
                         and n.words ~ ('^' || trim(both '%' from n.pattern)
                                        || '((next|this|by|before|within|soon|someday|one day) .*)?$')
                when of_attribute in ('goal', 'works_in') then n.attribute = of_attribute and n.words like n.pattern
                when of_attribute = 'appointment'
                    then n.attribute = of_attribute and n.words like ltrim(n.pattern, '%')
                when of_attribute = 'uses' and n.attribute in ('backend', 'database', 'editor', 'hosting')
                    then lower(n.value) = lower(of_value)
                when of_attribute in ('pet', 'works_at', 'member_of', 'uses', 'plays', 'likes', 'takes_medicine')
                    then n.attribute = 'habit'
                         and (n.words like n.pattern and (of_attribute <> 'likes' or n.words ~ '^ (does|goes) ')
                              or of_attribute = 'likes' and n.is_done)
                         and (of_attribute <> 'plays' or n.words like ' plays %')
                         and (of_attribute not in ('uses', 'works_at') or n.words !~ '^ (goes|shops) ')
                else false end
       and (n.attribute is distinct from of_attribute or lower(n.value) is distinct from lower(of_value))
     union
    select lost.memory_id
      from memory_internal.facts_of_lost(
           bank, of_subject, of_value, of_attribute = 'alive', facts_ended_by.moment) as lost (memory_id)
     where of_attribute in ('alive', 'named_animal') and of_value is not null
       and not exists (
        select from memory.fact_evidence e
         where e.bank_id = bank and e.fact_id = lost.memory_id and e.episode_id = episode)
     order by memory_id
$$;

-- Returns the open facts, begun before `moment`, that an ending also ends although they are in other timelines:
--   without a value  all values of the attribute ("my new dentist is Dr Bell": the former one)
--   with a value     habits and goals that name it ("I no longer play bridge": "plays bridge on Thursdays")
-- An older statement that arrives later than the ending is not ended, unlike one of the same timeline. Facts with
-- evidence of the `episode` itself are left out. Called by write_statements, which holds the bank lock.
create or replace function memory_internal.facts_ended_by(
    bank text, episode uuid, of_subject text, of_attribute text, of_value text, moment timestamptz)
returns setof uuid
language sql stable as $$
    with named as (
        select f.memory_id, f.attribute, f.value,
               ' ' || regexp_replace(lower(f.value), '[^[:alnum:]]+', ' ', 'g') || ' ' as words,
               '% ' || regexp_replace(lower(of_value), '[^[:alnum:]]+', ' ', 'g') || ' %' as pattern
          from memory.semantic_memory f
         where f.bank_id = bank and f.status <> 'merged_into' and f.retracted_at is null and f.valid_to is null
           and f.valid_from < facts_ended_by.moment and f.attribute is not null
           and lower(f.subject) is not distinct from lower(of_subject)
           and not exists (
            select from memory.fact_evidence e
             where e.bank_id = bank and e.fact_id = f.memory_id and e.episode_id = episode)
    )
    select n.memory_id
      from named n
     where case when of_value is null then n.attribute = of_attribute
                when of_attribute = 'goal' then n.attribute = 'goal' and n.words like n.pattern
                when of_attribute = 'plays' then n.attribute = 'habit' and n.words like ' plays %' and n.words like n.pattern
                when of_attribute = 'likes' then n.attribute = 'habit' and n.words ~ '^ (does|goes) ' and n.words like n.pattern
                when of_attribute in ('pet', 'works_at', 'member_of', 'uses')
                    then n.attribute = 'habit' and n.words like n.pattern
                else false end
       and lower(n.value) is distinct from lower(of_value)
     order by n.memory_id
$$;

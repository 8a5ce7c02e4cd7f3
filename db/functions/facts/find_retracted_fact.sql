-- The retracted fact that a statement belongs to, null where there is none: who retracts a fact takes back what was said
-- of it until then, whenever that arrives. What is said of the value after the retraction is news, and so is what another
-- statement of the timeline keeps apart from the retracted period. An episode that is evidence of it stays so, whatever its
-- time: its work may be done again.
create or replace function memory_internal.find_retracted_fact(
    bank text, line text, content text, of_subject text, of_attribute text, of_value text, key bigint, episode uuid,
    said_at timestamptz)
returns uuid
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    return (
        with meant as materialized (
            select f.*
              from memory.semantic_memory f
             where f.bank_id = bank and f.timeline = line and lower(f.value) is not distinct from lower(of_value)
             union
            select f.*
              from memory.semantic_memory f
             where f.bank_id = bank and f.said_key = key and line not like E'one\t%'
             union
            select f.*
              from memory.fact_evidence e
              join memory.semantic_memory f on f.bank_id = bank and f.memory_id = e.fact_id
             where e.bank_id = bank and e.episode_id = episode and line not like E'one\t%'
        )
        select m.memory_id
          from meant m
         cross join lateral (
            select exists (select from memory.fact_evidence e
                            where e.bank_id = bank and e.fact_id = m.memory_id and e.episode_id = episode) as again,
                   -- When it was said, which may have been before we heard of it.
                   coalesce((select max(j.occurred_at)
                               from memory.fact_judgement j
                              where j.bank_id = bank and j.fact_id = m.memory_id and j.verdict = 'retracted'),
                            m.retracted_at) as retracted_at) as it
         where m.retracted_at is not null and m.status <> 'merged_into'
           and lower(m.subject) is not distinct from lower(of_subject)
           and (m.timeline = line and lower(m.value) is not distinct from lower(of_value)
                or (of_attribute is null or m.attribute is null or m.attribute = of_attribute)
                   and memory_api.text_difference(m.fact, content) is null)
           and (it.again
                or said_at <= it.retracted_at and said_at < coalesce(m.valid_to, 'infinity')
                   and (said_at >= m.valid_from
                        or not exists (
                            select from memory.semantic_memory f
                              join memory.fact_evidence e on e.bank_id = bank and e.fact_id = f.memory_id
                             where f.bank_id = bank and f.timeline = m.timeline and f.retracted_at is null
                               and f.status <> 'merged_into'
                               and e.occurred_at > said_at and e.occurred_at < m.valid_from)))
         order by it.again desc, m.valid_from, m.memory_id
         limit 1);
end $$;

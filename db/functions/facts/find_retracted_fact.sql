-- Returns the retracted fact that a statement belongs to, or null. Retracting a fact also covers statements from
-- before the retraction that arrive later. Statements after the retraction are new, and so are those that another
-- statement of the timeline separates from the retracted period. An episode that already is evidence of the fact
-- stays so whatever its time, because work may be repeated. Called by write_statements.
create or replace function memory_internal.find_retracted_fact(
    bank text, of_timeline text, content text, of_subject text, of_attribute text, of_value text,
    key bigint, episode uuid, stated_at timestamptz)
returns uuid
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
    perform memory_internal.enter_bank(bank);
    return (
        with candidates as materialized (
            select f.*
              from memory.semantic_memory f
             where f.bank_id = bank and f.timeline = of_timeline and lower(f.value) is not distinct from lower(of_value)
             union
            select f.*
              from memory.semantic_memory f
             where f.bank_id = bank and f.fingerprint = key and of_timeline not like E'one\t%'
             union
            select f.*
              from memory.fact_evidence e
              join memory.semantic_memory f on f.bank_id = bank and f.memory_id = e.fact_id
             where e.bank_id = bank and e.episode_id = episode and of_timeline not like E'one\t%'
        )
        select m.memory_id
          from candidates m
         cross join lateral (
            select exists (select from memory.fact_evidence e
                            where e.bank_id = bank and e.fact_id = m.memory_id and e.episode_id = episode) as is_evidence,
                   -- Valid time of the retraction, which may be earlier than its transaction time retracted_at.
                   coalesce((select max(j.occurred_at)
                               from memory.fact_judgement j
                              where j.bank_id = bank and j.fact_id = m.memory_id and j.judgement = 'retracted'),
                            m.retracted_at) as retracted_at) as state
         where m.retracted_at is not null and m.status <> 'merged_into'
           and lower(m.subject) is not distinct from lower(of_subject)
           and (m.timeline = of_timeline and lower(m.value) is not distinct from lower(of_value)
                or (of_attribute is null or m.attribute is null or m.attribute = of_attribute)
                   and memory_api.text_difference(m.fact, content) is null)
           and (state.is_evidence
                or stated_at <= state.retracted_at and stated_at < coalesce(m.valid_to, 'infinity')
                   and (stated_at >= m.valid_from
                        or not exists (
                            select from memory.semantic_memory f
                              join memory.fact_evidence e on e.bank_id = bank and e.fact_id = f.memory_id
                             where f.bank_id = bank and f.timeline = m.timeline and f.retracted_at is null
                               and f.status <> 'merged_into'
                               and e.occurred_at > stated_at and e.occurred_at < m.valid_from)))
         order by state.is_evidence desc, m.valid_from, m.memory_id
         limit 1);
end $$;

-- Returns the episodes whose lesson is the same as that of `episode` (is_same_lesson, at least the evidence threshold)
-- and that no procedure has as evidence yet, the nearest first.
create or replace function memory_internal.similar_lessons(bank text, model text, episode uuid)
returns setof uuid
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    threshold double precision;
begin
    perform memory_internal.enter_bank(bank);
    select t.evidence into threshold from memory_api.bank_thresholds(bank, model) as t;
    return query
        select n.episode_id
          from (select o.episode_id, o.embedding operator(public.<=>) v.embedding as distance
                  from memory.lesson_vector v
                  join memory.lesson_vector o
                    on o.bank_id = bank and o.model_id = model and o.episode_id <> v.episode_id
                 where v.bank_id = bank and v.model_id = model and v.episode_id = episode
                offset 0) as n
          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = episode
          join memory.episodic_memory o on o.bank_id = bank and o.memory_id = n.episode_id
         where 1 - n.distance >= threshold
           and o.status in ('active', 'archived') and o.lesson is not null
           and not exists (select from memory.procedure_evidence p
                            where p.bank_id = bank and p.evidence_id = n.episode_id
                              and exists (select from memory.procedural_memory l
                                           where l.bank_id = bank and l.memory_id = p.procedure_id
                                             and l.kind = 'lesson'))
           and memory_internal.is_same_lesson(e.lesson, o.lesson)
         order by n.distance, n.episode_id;
end $$;

-- Returns the lesson procedure that the lesson of an episode teaches again, or null (as similar_lessons). A retracted
-- or superseded one takes lessons from before its end only.
create or replace function memory_internal.taught_procedure(bank text, model text, episode uuid) returns uuid
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
    perform memory_internal.enter_bank(bank);
    return (
        select p.memory_id
          from memory.lesson_vector v
          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.episode_id
          join memory.procedural_vector o on o.bank_id = bank and o.model_id = model and o.part = 0
          join memory.procedural_memory p on p.bank_id = bank and p.memory_id = o.procedure_id
         where v.bank_id = bank and v.model_id = model and v.episode_id = episode
           and 1 - (o.embedding operator(public.<=>) v.embedding)
               >= (select t.evidence from memory_api.bank_thresholds(bank, model) as t)
           and p.kind = 'lesson' and p.status in ('active', 'superseded', 'deprecated')
           and (p.valid_to is null or e.occurred_at < p.valid_to)
           and (p.retracted_at is null or e.occurred_at <= p.retracted_at)
           and memory_internal.is_same_lesson(e.lesson, p.content)
         order by p.status <> 'active', o.embedding operator(public.<=>) v.embedding, p.memory_id
         limit 1);
end $$;

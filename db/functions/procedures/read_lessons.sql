-- Returns up to `page` episodes with a lesson that has no vector of the bank's model yet: active and archived ones that
-- may teach (may_teach), not summaries, whose lessons are those of their parts. Called by the nightly run.
create or replace function memory_api.read_lessons(bank text, model text, page integer)
returns table (episode_id uuid, lesson text)
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    return query
        select e.memory_id, e.lesson
          from memory.episodic_memory e
         where e.bank_id = bank and e.lesson is not null and e.status in ('active', 'archived')
           and e.summarizes is null and memory_internal.may_teach(e.source, e.metadata)
           and not exists (select from memory.lesson_vector v
                            where v.bank_id = bank and v.model_id = model and v.episode_id = e.memory_id
                              and v.lesson_hash = md5(e.lesson))
         order by e.occurred_at, e.memory_id
         limit page;
end $$;

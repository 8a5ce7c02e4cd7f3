-- Makes procedures of lessons: compares up to `page` lessons that were not compared yet. A lesson that a procedure
-- already teaches becomes its evidence. Three independent episodes (independent_episodes) with the same lesson become a
-- procedure of kind 'lesson' with the words of the lesson that has most of the others near it. Returns the procedures
-- that were created or got evidence, and the number of lessons compared. Called by the nightly run; compares each
-- lesson once, so that running it again or twice at once changes nothing. Takes the bank lock.
create or replace function memory_api.learn_lessons(
    bank text, model text, page integer, actor text default 'procedures', at timestamptz default now(),
    out compared integer, out created uuid[], out reinforced uuid[])
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
    taught_by constant integer := 3;  -- independent episodes
    next_episode uuid;
    leader uuid;
    group_members uuid[];
    best_leader uuid;
    best_members uuid[];
    known uuid;
begin
    perform memory_internal.lock_bank_of_model(bank, model);
    compared := 0;
    created := '{}';
    reinforced := '{}';
    for next_episode in
        select v.episode_id
          from memory.lesson_vector v
          join memory.episodic_memory e on e.bank_id = bank and e.memory_id = v.episode_id
         where v.bank_id = bank and v.model_id = model and v.compared_at is null
           and e.lesson is not null and e.status in ('active', 'archived')
         order by e.occurred_at, v.episode_id
         limit page
    loop
        compared := compared + 1;
        update memory.lesson_vector v
           set compared_at = at
         where v.bank_id = bank and v.model_id = model and v.episode_id = next_episode;
        continue when exists (
            select from memory.procedure_evidence p
              join memory.procedural_memory l on l.bank_id = bank and l.memory_id = p.procedure_id
             where p.bank_id = bank and p.evidence_id = next_episode and l.kind = 'lesson');
        known := memory_internal.taught_procedure(bank, model, next_episode);
        if known is not null then
            if next_episode = any (memory_internal.independent_episodes(
                   bank, model,
                   array(select p.evidence_id from memory.procedure_evidence p
                          where p.bank_id = bank and p.procedure_id = known
                          order by p.occurred_at, p.evidence_id) || next_episode)) then
                perform memory_internal.add_lesson_evidence(bank, known, array[next_episode], at);
                perform memory_internal.refresh_procedure(
                    bank, known, 'reinforced', 'taught by ' || next_episode, actor, at);
                reinforced := reinforced || known;
            end if;
            continue;
        end if;
        best_members := '{}';
        for leader in
            select next_episode union all select s from memory_internal.similar_lessons(bank, model, next_episode) as s
        loop
            group_members := memory_internal.independent_episodes(
                bank, model, leader || array(select s from memory_internal.similar_lessons(bank, model, leader) as s));
            if cardinality(group_members) > cardinality(best_members) then
                best_leader := leader;
                best_members := group_members;
            end if;
        end loop;
        if cardinality(best_members) >= taught_by then
            created := created || memory_internal.create_lesson(bank, model, best_leader, best_members, actor, at);
        end if;
    end loop;
end $$;

-- States again, in an episode, what the last ending of a job within 180 days ended, without naming it ("I take back my
-- resignation"): the workplace, and what the same episode ended beside it, such as titles. Nothing where a workplace
-- holds or follows. The statement begins at its own time, so that it also withdraws an ending that was announced for
-- later (rebuild_timeline). Returns the number of statements. Called by write_statements, which holds the bank lock.
create or replace function memory_internal.resume_job(
    bank text, episode uuid, of_subject text, importance double precision, moment timestamptz, actor text,
    at timestamptz)
returns integer
language plpgsql as $$
declare
    resumed record;
    statements integer := 0;
begin
    perform memory_internal.enter_bank(bank);
    for resumed in
        with ending as (
            select e.episode_id, coalesce(e.starts_at, e.occurred_at) as ended_at
              from memory.semantic_memory f
              join memory.fact_evidence e on e.bank_id = bank and e.fact_id = f.memory_id
             where f.bank_id = bank and lower(f.subject) = lower(of_subject) and f.attribute = 'works_at'
               and f.status <> 'merged_into' and f.retracted_at is null and not e.holds
               and e.occurred_at <= resume_job.moment
               and least(e.starts_at, e.occurred_at) >= resume_job.moment - interval '180 days'
             order by e.occurred_at desc, e.episode_id
             limit 1
        )
        select f.memory_id, f.timeline
          from ending g
          join memory.semantic_memory f
            on f.bank_id = bank and lower(f.subject) = lower(of_subject) and f.valid_to = g.ended_at
         where f.value is not null and f.status <> 'merged_into' and f.retracted_at is null
           and f.valid_from < g.ended_at
           and (f.attribute = 'works_at'
                or exists (select from memory.fact_evidence e
                            where e.bank_id = bank and e.fact_id = f.memory_id and e.episode_id = g.episode_id
                              and not e.holds))
           and not exists (select from memory.fact_evidence e
                            where e.bank_id = bank and e.fact_id = f.memory_id and e.episode_id = resume_job.episode)
           and not exists (select from memory.semantic_memory o
                            where o.bank_id = bank and lower(o.subject) = lower(of_subject) and o.attribute = 'works_at'
                              and o.value is not null and o.status <> 'merged_into' and o.retracted_at is null
                              and (o.valid_to is null or o.valid_from >= g.ended_at))
         order by f.memory_id
    loop
        insert into memory.fact_evidence
            (bank_id, fact_id, episode_id, holds, stated, importance, occurred_at, recorded_at, starts_at)
        values (bank, resumed.memory_id, resume_job.episode, true, true, resume_job.importance, resume_job.moment,
                resume_job.at, resume_job.moment);
        statements := statements + 1;
        perform memory_internal.rebuild_timeline(
            bank, resumed.timeline, 'stated in ' || resume_job.episode, resume_job.actor, resume_job.at,
            array[resumed.memory_id]);
    end loop;
    return statements;
end $$;

-- Returns how strong a thread still is at `at`, and when it ends by fading (docs/design.md, "Emotional thread"), given
-- its last episode and its valence and half-life after that. Each of the first seven episodes of a person that follow
-- without joining takes a tenth, together at most half; only those before (`at`, `before`) are counted, and only among
-- the 50 next episodes of the bank, so that a bank full of tool results costs no more.
create or replace function memory_internal.thread_course(
    bank text, last_update timestamptz, last_episode uuid, valence double precision, half_life_days double precision,
    at timestamptz, before uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff')
returns table (valence_then double precision, ends_at timestamptz)
language sql stable rows 1 as $$
    with next as materialized (
        select e.occurred_at, e.memory_id, e.source, e.summarizes, e.status
          from memory.episodic_memory e
         where e.bank_id = bank and (e.occurred_at, e.memory_id) > (last_update, last_episode)
           and (e.occurred_at, e.memory_id) < (thread_course.at, before)
         order by e.occurred_at, e.memory_id
         limit 50
    ),
    step as (
        select 0 as n, last_update as at
         union all
       (select row_number() over (order by n.occurred_at, n.memory_id)::integer, n.occurred_at
          from next n
         where n.source in ('user', 'import') and n.summarizes is null
           and n.status in ('active', 'archived', 'merged_into')
         order by n.occurred_at, n.memory_id
         limit 7)
    ),
    course as (
        select max(s.n) as n,
               -- Intensity 0.2 is the end: half_life x log2(intensity / 0.2) days after the last update.
               min(greatest(s.at, last_update + make_interval(secs => 86400 * half_life_days
                   * ln(abs(thread_course.valence) * greatest(0.9 ^ s.n, 0.5) / 0.2) / ln(2)))) as ends_at
          from step s
    )
    select thread_course.valence * greatest(0.9 ^ c.n, 0.5)
               * 0.5 ^ least(greatest(extract(epoch from thread_course.at - last_update), 0)
                   / (86400 * half_life_days), 60)::double precision,
           c.ends_at
      from course c
$$;

-- S2's third monitor: conflicts between facts, judged to be such, beside the facts that were new. A succession (a move, a
-- new job) contradicts nothing, nor do two of which it turned out that both hold, or that one ended before the other
-- began.
create or replace view analytics.contradiction_frequency with (security_invoker = true) as
with fresh as (
    select f.bank_id, (f.recorded_at at time zone 'UTC')::date as day, count(*) as facts
      from memory.semantic_memory f
     group by 1, 2
), contradicted as (
    select c.bank_id, (c.recorded_at at time zone 'UTC')::date as day, count(*) as contradictions,
           count(*) filter (where c.resolution is null and one.valid_to is null and other.valid_to is null) as open
      from memory.fact_conflict c
      join memory.semantic_memory one on one.bank_id = c.bank_id and one.memory_id = c.one_id
      join memory.semantic_memory other on other.bank_id = c.bank_id and other.memory_id = c.other_id
     where c.resolution is distinct from 'both' and c.resolution is distinct from 'void'
       and (c.resolution is not null
            or greatest(one.valid_from, other.valid_from)
               < least(coalesce(one.valid_to, 'infinity'), coalesce(other.valid_to, 'infinity')))
     group by 1, 2
)
select bank_id, day, coalesce(f.facts, 0) as facts, coalesce(c.contradictions, 0) as contradictions,
       coalesce(c.open, 0) as open, coalesce(c.contradictions, 0)::double precision / f.facts as contradiction_frequency
  from fresh f
  full join contradicted c using (bank_id, day);
comment on view analytics.contradiction_frequency is
    'S2: how often what becomes known contradicts what was known, by bank and day: conflicts between facts beside the facts '
    'that were new. A change that was said as one (a move) is a succession and no contradiction. A day without either has '
    'no row.';
comment on column analytics.contradiction_frequency.bank_id is 'The bank that was written.';
comment on column analytics.contradiction_frequency.day is
    'UTC day on which the facts were first recorded and the conflicts were found.';
comment on column analytics.contradiction_frequency.facts is 'Facts first observed that day, whatever became of them.';
comment on column analytics.contradiction_frequency.contradictions is
    'Pairs of facts that were judged to contradict each other, and that held at the same time or had to be decided; not '
    'those of which it was decided that both hold, or that there was no conflict.';
comment on column analytics.contradiction_frequency.open is 'Those of them that are still to be settled.';
comment on column analytics.contradiction_frequency.contradiction_frequency is
    'contradictions / facts; null where no fact was new that day.';

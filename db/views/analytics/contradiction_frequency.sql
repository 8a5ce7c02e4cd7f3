-- Monitor: conflicts between facts in relation to new facts. Superseding (a move, a new job) is not a contradiction;
-- conflicts resolved for both facts, or between facts whose periods do not overlap, are not counted.
create or replace view analytics.contradiction_frequency with (security_invoker = true) as
with new_facts as (
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
  from new_facts f
  full join contradicted c using (bank_id, day);
comment on view analytics.contradiction_frequency is
    'Conflicts between facts in relation to new facts, by bank and day. A fact that supersedes another (a move) is '
    'not a contradiction. A day with neither has no row.';
comment on column analytics.contradiction_frequency.bank_id is 'The bank.';
comment on column analytics.contradiction_frequency.day is
    'UTC day on which the facts were first recorded and the conflicts were found.';
comment on column analytics.contradiction_frequency.facts is
    'Facts recorded for the first time that day, whatever their present status.';
comment on column analytics.contradiction_frequency.contradictions is
    'Pairs of facts found to contradict each other with overlapping periods or a resolution; without conflicts '
    'resolved for both facts or void.';
comment on column analytics.contradiction_frequency.open is 'Number of these that are unresolved.';
comment on column analytics.contradiction_frequency.contradiction_frequency is
    'contradictions / facts; null if no fact was new that day.';

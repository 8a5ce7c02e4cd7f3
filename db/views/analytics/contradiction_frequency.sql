-- S2's third monitor, on what there is before facts are consolidated: what single memories state. Of attributes that a
-- person has one of at a time, a value other than the one stated last. Whether the newer is a correction, a change or a
-- mistake is for the judgement of conflicts, which joins here when there is a table of them.
create or replace view analytics.contradiction_frequency with (security_invoker = true) as
with stated as (
    select e.bank_id, (e.recorded_at at time zone 'UTC')::date as day,
           lower(f.fact ->> 'value') as value,
           lag(lower(f.fact ->> 'value')) over (
               partition by e.bank_id, lower(f.fact ->> 'subject'), lower(f.fact ->> 'attribute')
               order by e.occurred_at, e.memory_id, f.place) as before
      from memory.episodic_memory e
     cross join lateral jsonb_array_elements(e.candidate_facts) with ordinality as f (fact, place)
     where e.status in ('active', 'archived', 'merged_into')
       and f.fact ->> 'subject' is not null and f.fact ->> 'value' is not null
       and lower(f.fact ->> 'attribute') in ('birthday', 'born_in', 'grew_up_in', 'lives_in', 'name', 'works_as', 'works_at',
                                             'employer', 'occupation', 'residence')
)
select s.bank_id, s.day, count(*) as statements,
       count(*) filter (where s.value <> s.before) as contradictions,
       count(*) filter (where s.value <> s.before)::double precision / count(*) as contradiction_frequency
  from stated s
 group by s.bank_id, s.day;
comment on view analytics.contradiction_frequency is
    'S2: how often what is said contradicts what was said, by bank and day. Counted over the candidate facts of episodes, '
    'before anybody has judged them: a stated change ("I moved") counts too. Judged conflicts between consolidated facts '
    'are no part of it yet. A day on which nothing of the kind was stated has no row.';
comment on column analytics.contradiction_frequency.bank_id is 'The bank that was written.';
comment on column analytics.contradiction_frequency.day is 'UTC day on which the episode was recorded.';
comment on column analytics.contradiction_frequency.statements is
    'Values stated of attributes of which one holds at a time: birthday, born_in, grew_up_in, lives_in, name, works_as, '
    'works_at, employer, occupation, residence; in active, archived and merged episodes.';
comment on column analytics.contradiction_frequency.contradictions is
    'Those that differ, capitals aside, from the value stated last before of the same subject and attribute, by when it '
    'happened.';
comment on column analytics.contradiction_frequency.contradiction_frequency is 'contradictions / statements, 0 to 1.';

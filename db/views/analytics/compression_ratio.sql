-- S2's fourth monitor: how much shorter what is carried along is than what was said, by summaries, by near duplicates that
-- became one, and by the consolidation of episodes into facts and summaries of them, which archives the rest.
create or replace view analytics.compression_ratio with (security_invoker = true) as
with episodes as (
    select e.bank_id, (e.recorded_at at time zone 'UTC')::date as day, e.status,
           coalesce(
               (select sum(coalesce(length(m ->> 'content'), (m ->> 'characters')::integer))
                  from jsonb_array_elements(e.full_text -> 'messages') as m),
               length(e.full_text ->> 'content'), 0) as said,
           length(e.summary) as remembered
      from memory.episodic_memory e
     where e.status in ('active', 'archived', 'merged_into', 'deprecated')
),
lines as (
    select k.bank_id, k.day, k.said, case when k.status = 'active' then k.remembered else 0 end as kept, 1 as episodes,
           (k.status = 'merged_into')::integer as merged, (k.status in ('archived', 'deprecated'))::integer as archived,
           0 as facts
      from episodes k
     union all
    select f.bank_id, (f.recorded_at at time zone 'UTC')::date, 0, length(f.fact), 0, 0, 0, 1
      from memory.semantic_memory f
     where f.status in ('tentative', 'stable')
)
select l.bank_id, l.day, sum(l.episodes)::bigint as episodes, sum(l.merged)::bigint as merged,
       sum(l.archived)::bigint as archived, sum(l.facts)::bigint as facts,
       sum(l.said)::bigint as characters_said, sum(l.kept)::bigint as characters_kept,
       sum(l.said)::double precision / nullif(sum(l.kept), 0) as compression_ratio
  from lines l
 group by l.bank_id, l.day;
comment on view analytics.compression_ratio is
    'S2: how much shorter what is carried along (active episodes, facts) is than what was said, by bank and day: by '
    'summaries, by merging near duplicates and by consolidation. What the gate refused is no part of it.';
comment on column analytics.compression_ratio.bank_id is 'The bank that was written.';
comment on column analytics.compression_ratio.day is 'UTC day on which the episodes and facts were recorded.';
comment on column analytics.compression_ratio.episodes is
    'Episodes of that day that are active, archived, deprecated or merged.';
comment on column analytics.compression_ratio.merged is
    'Those of them that are near duplicates and stand no more for themselves.';
comment on column analytics.compression_ratio.archived is
    'Those of them that were archived or deprecated: contexts do not show them.';
comment on column analytics.compression_ratio.facts is 'Facts of that day that are held to be true.';
comment on column analytics.compression_ratio.characters_said is
    'Length of the messages, or of the committed text, that the episodes were made of.';
comment on column analytics.compression_ratio.characters_kept is 'Length of the active summaries and of those facts.';
comment on column analytics.compression_ratio.compression_ratio is
    'characters_said / characters_kept: 3 means a third is carried along; null where nothing of that day is.';

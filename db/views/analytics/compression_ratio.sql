-- Monitor: ratio of the characters received to the characters kept active, by bank and day; reduced by summaries,
-- merged duplicates and consolidation, which archives episodes in favour of facts and summaries.
create or replace view analytics.compression_ratio with (security_invoker = true) as
with episodes as (
    select e.bank_id, (e.recorded_at at time zone 'UTC')::date as day, e.status,
           coalesce(
               (select sum(coalesce(length(m ->> 'content'), (m ->> 'characters')::integer))
                  from jsonb_array_elements(e.full_text -> 'messages') as m),
               length(e.full_text ->> 'content'), 0) as received,
           length(e.summary) as summarized
      from memory.episodic_memory e
     where e.status in ('active', 'archived', 'merged_into', 'deprecated')
),
characters as (
    select k.bank_id, k.day, k.received, case when k.status = 'active' then k.summarized else 0 end as kept, 1 as episodes,
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
       sum(l.received)::bigint as characters_said, sum(l.kept)::bigint as characters_kept,
       sum(l.received)::double precision / nullif(sum(l.kept), 0) as compression_ratio
  from characters l
 group by l.bank_id, l.day;
comment on view analytics.compression_ratio is
    'Ratio of the characters received to the characters kept active (episodes, facts), by bank and day of recording: '
    'reduced by summaries, merged duplicates and consolidation. Refused messages are not included.';
comment on column analytics.compression_ratio.bank_id is 'The bank.';
comment on column analytics.compression_ratio.day is 'UTC day on which the episodes and facts were recorded.';
comment on column analytics.compression_ratio.episodes is
    'Episodes recorded that day that are active, archived, deprecated or merged.';
comment on column analytics.compression_ratio.merged is 'Number of these with status merged_into (duplicates).';
comment on column analytics.compression_ratio.archived is
    'Number of these with status archived or deprecated; contexts do not show them.';
comment on column analytics.compression_ratio.facts is 'Facts recorded that day with status tentative or stable.';
comment on column analytics.compression_ratio.characters_said is
    'Characters of the messages, or of the committed text, of these episodes.';
comment on column analytics.compression_ratio.characters_kept is
    'Characters of the active summaries and of these facts.';
comment on column analytics.compression_ratio.compression_ratio is
    'characters_said / characters_kept: 3 means that a third is kept active; null if nothing is.';

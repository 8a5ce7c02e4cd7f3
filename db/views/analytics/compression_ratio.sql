-- S2's fourth monitor: summaries, near duplicates that became one, and what the night consolidated. Of a summary each
-- episode that it sums up keeps its share, on the day on which it was recorded.
create or replace view analytics.compression_ratio with (security_invoker = true) as
with kept as (
    select e.bank_id, (e.recorded_at at time zone 'UTC')::date as day, e.status <> 'merged_into' as stands,
           s.characters is not null as consolidated,
           coalesce(
               (select sum(length(m ->> 'content')) from jsonb_array_elements(e.full_text -> 'messages') as m),
               length(e.full_text ->> 'content'), 0) as said,
           coalesce(s.characters, length(e.summary)) as remembered
      from memory.episodic_memory e
      left join lateral (
            select length(k.summary)::double precision / jsonb_array_length(k.full_text -> 'summary_of') as characters
              from memory.memory_link l
              join memory.episodic_memory k on k.bank_id = l.bank_id and k.memory_id = l.memory_id
             where l.bank_id = e.bank_id and l.linked_id = e.memory_id and l.reason = 'summary'
               and k.status in ('active', 'archived')
             limit 1) as s on e.status = 'archived'
     where e.status in ('active', 'archived', 'merged_into') and e.summarizes is null
)
select k.bank_id, k.day, count(*) as episodes, count(*) filter (where not k.stands) as merged,
       sum(k.said)::bigint as characters_said,
       coalesce(sum(k.remembered) filter (where k.stands), 0)::bigint as characters_kept,
       sum(k.said)::double precision / nullif(sum(k.remembered) filter (where k.stands), 0) as compression_ratio,
       count(*) filter (where k.consolidated) as consolidated
  from kept k
 group by k.bank_id, k.day;
comment on view analytics.compression_ratio is
    'S2: how much shorter what is remembered is than what was said, by bank and day: by summaries, by merging near '
    'duplicates and by consolidation. What the gate refused is no part of it.';
comment on column analytics.compression_ratio.bank_id is 'The bank that was written.';
comment on column analytics.compression_ratio.day is 'UTC day on which the episodes were recorded.';
comment on column analytics.compression_ratio.episodes is 'Episodes of that day that are active, archived or merged.';
comment on column analytics.compression_ratio.merged is
    'Those of them that are near duplicates and stand no more for themselves.';
comment on column analytics.compression_ratio.characters_said is
    'Length of the messages, or of the committed text, that the episodes were made of.';
comment on column analytics.compression_ratio.characters_kept is
    'Length of the summaries that stand; of one that sums up several episodes, the share of each.';
comment on column analytics.compression_ratio.compression_ratio is
    'characters_said / characters_kept: 3 means a third is left; null where all were merged into episodes of other days.';
comment on column analytics.compression_ratio.consolidated is
    'Those of them that are in the archive because a summary stands for them.';

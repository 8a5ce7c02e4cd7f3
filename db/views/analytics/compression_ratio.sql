-- S2's fourth monitor, on what compresses so far: summaries, and near duplicates that became one. What consolidation
-- archives into facts joins here when it does so.
create or replace view analytics.compression_ratio with (security_invoker = true) as
with kept as (
    select e.bank_id, (e.recorded_at at time zone 'UTC')::date as day, e.status <> 'merged_into' as stands,
           coalesce(
               (select sum(length(m ->> 'content')) from jsonb_array_elements(e.full_text -> 'messages') as m),
               length(e.full_text ->> 'content'), 0) as said,
           length(e.summary) as remembered
      from memory.episodic_memory e
     where e.status in ('active', 'archived', 'merged_into')
)
select k.bank_id, k.day, count(*) as episodes, count(*) filter (where not k.stands) as merged,
       sum(k.said)::bigint as characters_said,
       coalesce(sum(k.remembered) filter (where k.stands), 0)::bigint as characters_kept,
       sum(k.said)::double precision / nullif(sum(k.remembered) filter (where k.stands), 0) as compression_ratio
  from kept k
 group by k.bank_id, k.day;
comment on view analytics.compression_ratio is
    'S2: how much shorter what is remembered is than what was said, by bank and day: by summaries and by merging near '
    'duplicates. Consolidation of episodes into facts is no part of it yet, nor what the gate refused.';
comment on column analytics.compression_ratio.bank_id is 'The bank that was written.';
comment on column analytics.compression_ratio.day is 'UTC day on which the episodes were recorded.';
comment on column analytics.compression_ratio.episodes is 'Episodes of that day that are active, archived or merged.';
comment on column analytics.compression_ratio.merged is
    'Those of them that are near duplicates and stand no more for themselves.';
comment on column analytics.compression_ratio.characters_said is
    'Length of the messages, or of the committed text, that the episodes were made of.';
comment on column analytics.compression_ratio.characters_kept is 'Length of the summaries that stand.';
comment on column analytics.compression_ratio.compression_ratio is
    'characters_said / characters_kept: 3 means a third is left; null where all were merged into episodes of other days.';

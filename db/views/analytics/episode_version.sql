-- The former contents of episodes.
create or replace view analytics.episode_version with (security_invoker = true) as
select v.bank_id, v.memory_id, v.version, v.content, v.replaced_at, v.replaced_by
  from memory.episode_version v;
comment on view analytics.episode_version is
    'One row per former content of an episode; the present one is in analytics.memory_entry.';
comment on column analytics.episode_version.bank_id is 'The bank.';
comment on column analytics.episode_version.memory_id is 'Id of the episode.';
comment on column analytics.episode_version.version is 'Number of the version, from 1.';
comment on column analytics.episode_version.content is 'The content of this version.';
comment on column analytics.episode_version.replaced_at is 'When the next version replaced it.';
comment on column analytics.episode_version.replaced_by is 'Person or agent that replaced it.';

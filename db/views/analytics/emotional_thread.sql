-- The emotional threads of a bank, open and ended, for SQL users.
create or replace view analytics.emotional_thread with (security_invoker = true) as
select t.bank_id, t.thread_id, t.current_state, t.emotion, t.topic, t.valence,
       case when t.ended_at is null and c.ends_at > now() then c.valence_then end as present_valence, t.thread_length,
       array(select x.episode_id from memory.emotional_thread_episode x
              where x.bank_id = t.bank_id and x.thread_id = t.thread_id
              order by x.position) as recognized_from,
       t.started_at, t.last_update,
       (select max(a.at) from memory.emotional_thread_act a
         where a.bank_id = t.bank_id and a.act = 'acknowledged' and a.at >= t.started_at
           and a.at <= coalesce(t.ended_at, now())) as acknowledged_at,
       coalesce(t.ended_at, case when c.ends_at <= now() then c.ends_at end) as ended_at,
       coalesce(t.end_reason, case when c.ends_at <= now() then 'faded' end) as end_reason, t.ended_by
  from memory.emotional_thread t
  left join lateral (
        select k.valence_then, k.ends_at
          from memory.emotional_thread_episode x
         cross join lateral memory_internal.thread_course(
            x.bank_id, x.occurred_at, x.episode_id, x.thread_valence, x.half_life_days, now()) as k
         where t.ended_at is null and x.bank_id = t.bank_id and x.thread_id = t.thread_id
           and x.position = t.thread_length) as c on true;
comment on view analytics.emotional_thread is
    'One row per emotional thread of a bank: a mood that is carried on over several episodes. At most one is open.';
comment on column analytics.emotional_thread.bank_id is 'The bank.';
comment on column analytics.emotional_thread.thread_id is 'Id of the thread.';
comment on column analytics.emotional_thread.current_state is 'The mood in words, at its last update.';
comment on column analytics.emotional_thread.emotion is 'Emotion label at its last update, if one is known.';
comment on column analytics.emotional_thread.topic is 'What the mood is about, if that is known.';
comment on column analytics.emotional_thread.valence is
    'Sign and strength of the mood at its last update, -1 (very bad) to 1 (very good).';
comment on column analytics.emotional_thread.present_valence is
    'The same, faded to now; null for a thread that has ended.';
comment on column analytics.emotional_thread.thread_length is 'Number of its episodes.';
comment on column analytics.emotional_thread.recognized_from is 'Ids of its episodes, oldest first.';
comment on column analytics.emotional_thread.started_at is 'When its first episode occurred.';
comment on column analytics.emotional_thread.last_update is 'When its last episode occurred.';
comment on column analytics.emotional_thread.acknowledged_at is
    'When a context last asked the agent to acknowledge it; null if none did.';
comment on column analytics.emotional_thread.ended_at is 'When it ended; null while it is open.';
comment on column analytics.emotional_thread.end_reason is
    'broken (by the opposite mood), faded, ended (by a person) or switched_off (the bank setting); null while it is open.';
comment on column analytics.emotional_thread.ended_by is 'Person or agent that ended it or switched the setting off.';

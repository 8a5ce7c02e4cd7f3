-- Returns a thread as it was at `at`, or no row if it began later: `valence` decayed to then, or as of the last update
-- once it ended; `recognized_from`: the latest 50 episodes, oldest first. It asks to be acknowledged while it is open
-- and strong (0.4 at its last update), unless a context has asked for it since it began; again with an emotion of
-- another family, a strength that rose by 0.15, or an episode three days later.
create or replace function memory_internal.thread_as_of(bank text, thread uuid, at timestamptz)
returns table (thread_id uuid, current_state text, emotion text, topic text, valence double precision,
               recognized_from uuid[], should_acknowledge boolean, acknowledged_at timestamptz, thread_length integer,
               started_at timestamptz, last_update timestamptz, ended_at timestamptz, end_reason text, ended_by text)
language sql stable rows 1 as $$
    select t.thread_id, memory_internal.thread_phrase(x.state_emotion, x.state_topic, x.thread_valence),
           x.state_emotion, x.state_topic,
           case when e.ended_at is null then c.valence_then else x.thread_valence end,
           array(select r.episode_id
                   from (select y.episode_id, y.position from memory.emotional_thread_episode y
                          where y.bank_id = bank and y.thread_id = thread and y.position <= x.position
                          order by y.position desc limit 50) as r
                  order by r.position),
           e.ended_at is null and abs(x.thread_valence) >= 0.4
           and (a.at is null
                or abs(x.thread_valence) >= abs(a.valence) + 0.15
                or x.occurred_at >= a.at + interval '3 days'
                or (select l.family from memory_internal.mood_labels() as l where l.label = x.state_emotion)
                   is distinct from
                   (select l.family from memory_internal.mood_labels() as l where l.label = a.emotion)),
           a.at, x.position, t.started_at, x.occurred_at, e.ended_at, e.end_reason,
           case when e.ended_at = t.ended_at then t.ended_by end
      from memory.emotional_thread t
     cross join lateral (
        select y.* from memory.emotional_thread_episode y
         where y.bank_id = bank and y.thread_id = thread and y.occurred_at <= thread_as_of.at
         order by y.position desc
         limit 1) as x
     cross join lateral memory_internal.thread_course(
        bank, x.occurred_at, x.episode_id, x.thread_valence, x.half_life_days, thread_as_of.at) as c
     cross join lateral (
        select case when t.ended_at <= thread_as_of.at then t.ended_at
                    when c.ends_at <= thread_as_of.at then c.ends_at end as ended_at,
               case when t.ended_at <= thread_as_of.at then t.end_reason
                    when c.ends_at <= thread_as_of.at then 'faded' end as end_reason) as e
      left join lateral (
        select b.at, b.valence, b.emotion from memory.emotional_thread_act b
         where b.bank_id = bank and b.act = 'acknowledged' and b.at >= t.started_at and b.at <= thread_as_of.at
         order by b.at desc
         limit 1) as a on true
     where t.bank_id = bank and t.thread_id = thread
$$;

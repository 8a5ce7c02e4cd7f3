-- Updates the threads of a bank after the status of these episodes changed, in the same transaction. Called by
-- set_episodes_status and delete_episodes, whose callers hold the bank lock; may be repeated.
-- Episodes of a person count while they are active, archived or merged into another, explicit commits only with a mood
-- that the caller gave, summaries never. An episode without a mood costs one index probe: it matters only if it
-- occurred before an episode with one. Episodes that count no longer are removed also while the setting is off, because
-- their topics are stored here. Extraction by rules gives a mood its topic, or none (signals); a model's is the first
-- that is no word of feeling.
create or replace function memory_internal.update_thread(bank text, memories uuid[]) returns void
language plpgsql as $$
declare
    counted constant text[] := '{active,archived,merged_into}';
    enabled constant boolean := memory_internal.thread_enabled(bank);
    changed record;
begin
    perform memory_internal.enter_bank(bank);
    with this as materialized (
        select e.memory_id, e.occurred_at, e.emotional_valence, e.emotions, e.topics, e.entities,
               e.status = any (counted) as counts,
               e.signals, e.source in ('user', 'import')
               or e.source = 'agent' and e.version = 1 and e.given ?| array['valence', 'emotions'] as of_person
          from memory.episodic_memory e
         where e.bank_id = bank and e.memory_id = any (memories) and e.summarizes is null
    ),
    removed as (
        delete from memory.emotional_thread_episode x
         using this t
         where x.bank_id = bank and x.episode_id = t.memory_id and not t.counts
        returning x.occurred_at, x.episode_id
    ),
    felt as materialized (
        select t.*, m.mood, m.emotion, m.family
          from this t
          left join lateral (
            select r.mood, r.emotion, r.family
              from memory_internal.read_mood(t.emotional_valence, t.emotions) as r
             -- Evaluated first: spares most episodes the tables of labels, 0.1 ms.
             where abs(t.emotional_valence) >= 0.2 or t.emotions[1] <> 'neutral') as m on true
         where t.of_person and enabled
    ),
    added as (
        insert into memory.emotional_thread_episode
            (bank_id, episode_id, occurred_at, valence, emotions, mood, emotion, family, topic)
        select bank, f.memory_id, f.occurred_at, f.emotional_valence, f.emotions, f.mood, f.emotion, f.family,
               case when f.signals ? 'mood_topic' then left(f.signals ->> 'mood_topic', 40)
                    else memory_internal.thread_topic(f.topics, f.entities) end
          from felt f
         where f.counts and f.mood is not null
        on conflict on constraint emotional_thread_episode_pkey do nothing
        returning occurred_at, episode_id
    ),
    -- Episodes without a mood: those that others with one follow.
    between_moods as (
        select f.occurred_at, f.memory_id
          from felt f
         where (f.mood is null or not f.counts)
           and exists (select from memory.emotional_thread_episode x
                        where x.bank_id = bank and (x.occurred_at, x.episode_id) > (f.occurred_at, f.memory_id))
    ),
    point as (
        select * from removed union all select * from added union all select * from between_moods
    )
    select (array_agg(p.occurred_at order by p.occurred_at, p.episode_id))[1] as since,
           (array_agg(p.episode_id order by p.occurred_at, p.episode_id))[1] as since_episode,
           (array_agg(p.occurred_at order by p.occurred_at desc, p.episode_id desc))[1] as until,
           (array_agg(p.episode_id order by p.occurred_at desc, p.episode_id desc))[1] as until_episode
      into changed
      from point p;
    if changed.since is not null then
        perform memory_internal.rebuild_threads(
            bank, changed.since, changed.since_episode, changed.until, changed.until_episode);
    end if;
end $$;

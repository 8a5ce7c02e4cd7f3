-- Computes the threads of a bank again from the point (`since`, `since_episode`) on, in the order in which the episodes
-- occurred: the rule of joining, breaking and fading (docs/design.md, "Emotional thread"). Begins with the state after
-- the last episode before that point, and stops at the first thread after (`until`, `until_episode`), the last change,
-- that begins where one began before: from there on nothing is different. Called by update_thread and close_thread,
-- which hold the bank lock. The result does not depend on the order in which episodes were activated.
create or replace function memory_internal.rebuild_threads(
    bank text, since timestamptz, since_episode uuid, until timestamptz, until_episode uuid)
returns void
language plpgsql as $$
declare
    last memory.emotional_thread_episode;
    this memory.emotional_thread_episode;
    course record;
    act record;
    closes_at timestamptz;
    closes_by text;
    relation text;
    begins_as_before boolean := false;
    intensity double precision;
    visited uuid[] := '{}';
    unended constant timestamptz := 'infinity';
begin
    perform memory_internal.enter_bank(bank);
    select x.* into last
      from memory.emotional_thread_episode x
     where x.bank_id = bank and (x.occurred_at, x.episode_id) < (since, since_episode) and x.thread_id is not null
     order by x.occurred_at desc, x.episode_id desc
     limit 1;
    for this in
        select x.*
          from memory.emotional_thread_episode x
         where x.bank_id = bank and (x.occurred_at, x.episode_id) >= (since, since_episode)
         order by x.occurred_at, x.episode_id
    loop
        if this.thread_id is not null then
            visited := visited || this.thread_id;
        end if;
        relation := 'begins';
        closes_at := null;
        if last.thread_id is not null then
            select c.* into course
              from memory_internal.thread_course(
                  bank, last.occurred_at, last.episode_id, last.thread_valence, last.half_life_days,
                  this.occurred_at, this.episode_id) as c;
            select a.at, a.act, a.actor into act
              from memory.emotional_thread_act a
             where a.bank_id = bank and a.act in ('ended', 'switched_off')
               and a.at >= last.occurred_at and a.at < this.occurred_at
             order by a.at
             limit 1;
            closes_at := least(course.ends_at, coalesce(act.at, unended));
            if closes_at > this.occurred_at then
                relation := case
                    when sign(this.mood) = sign(last.thread_valence) then 'joins'
                    when this.family = (select l.family from memory_internal.mood_labels() as l
                                         where l.label = last.state_emotion) then 'joins'
                    when abs(this.mood) >= greatest(0.35, abs(course.valence_then) / 2) then 'breaks'
                    else 'neither' end;
                closes_at := this.occurred_at;
                closes_by := 'broken';
            else
                closes_by := case when act.at = closes_at then act.act else 'faded' end;
            end if;
        end if;
        if relation = 'neither' then
            update memory.emotional_thread_episode x
               set thread_id = null, position = null, thread_valence = null, half_life_days = null, peak = null,
                   state_emotion = null, state_topic = null
             where x.bank_id = bank and x.episode_id = this.episode_id and x.thread_id is not null;
            continue;
        end if;
        if relation = 'joins' then
            -- A kindred mood of the other sign ("nervous, but looking forward to it") continues the thread as it is.
            intensity := greatest(abs(course.valence_then),
                                  case when sign(this.mood) = sign(last.thread_valence) then abs(this.mood) end);
            intensity := intensity + 0.1 * (1 - intensity);
            this.thread_id := last.thread_id;
            this.position := last.position + 1;
            this.thread_valence := sign(last.thread_valence) * intensity;
            this.peak := greatest(
                last.peak, case when sign(this.mood) = sign(last.thread_valence) then abs(this.mood) end);
            if sign(this.mood) = sign(last.thread_valence) and abs(this.mood) >= this.peak / 2 then
                this.state_emotion := coalesce(this.emotion, last.state_emotion);
                this.state_topic := coalesce(this.topic, case
                    when (select l.family from memory_internal.mood_labels() as l where l.label = this.state_emotion)
                         is not distinct from
                         (select l.family from memory_internal.mood_labels() as l where l.label = last.state_emotion)
                    then last.state_topic end);
            else
                this.state_emotion := last.state_emotion;
                this.state_topic := last.state_topic;
            end if;
        else
            if last.thread_id is not null then
                perform memory_internal.write_thread(bank, last, closes_at, closes_by, act.actor);
            end if;
            begins_as_before := coalesce(this.position = 1, false)
                and (this.occurred_at, this.episode_id) > (until, until_episode);
            this.thread_id := md5('emotional thread ' || this.episode_id)::uuid;
            this.position := 1;
            this.thread_valence := this.mood;
            this.peak := abs(this.mood);
            this.state_emotion := this.emotion;
            this.state_topic := this.topic;
        end if;
        if begins_as_before then
            exit;
        end if;
        this.half_life_days := least(14, 6 * this.thread_valence ^ 2 * (1 + ln(this.position)));
        update memory.emotional_thread_episode x
           set thread_id = this.thread_id, position = this.position, thread_valence = this.thread_valence,
               half_life_days = this.half_life_days, peak = this.peak, state_emotion = this.state_emotion,
               state_topic = this.state_topic
         where x.bank_id = bank and x.episode_id = this.episode_id;
        last := this;
    end loop;

    -- Threads that lost their episodes, before the new last thread becomes the only one that is open.
    delete from memory.emotional_thread t
     where t.bank_id = bank and (t.thread_id = any (visited) or t.ended_at is null or t.started_at >= since)
       and not exists (select from memory.emotional_thread_episode x
                        where x.bank_id = bank and x.thread_id = t.thread_id);
    if not begins_as_before and last.thread_id is not null then
        select a.at, a.act, a.actor into act
          from memory.emotional_thread_act a
         where a.bank_id = bank and a.act in ('ended', 'switched_off') and a.at >= last.occurred_at
         order by a.at
         limit 1;
        if act.at is null then
            perform memory_internal.write_thread(bank, last, null, null, null);
        else
            select c.* into course
              from memory_internal.thread_course(
                  bank, last.occurred_at, last.episode_id, last.thread_valence, last.half_life_days, act.at) as c;
            perform memory_internal.write_thread(
                bank, last, least(course.ends_at, act.at),
                case when course.ends_at < act.at then 'faded' else act.act end, act.actor);
        end if;
    end if;
end $$;

-- Returns what a mood is about: the first topic of an episode that is no word of feeling, else its first entity; one
-- line of at most 40 characters; null if there is none. The words are those that extraction by rules puts among the
-- topics of a mood ("worried", "interview"). A participle ("married") is one only if there is nothing else.
create or replace function memory_internal.thread_topic(topics text[], entities text[]) returns text
language sql immutable parallel safe as $$
    select case when length(o.topic) <= 40 then o.topic
                else coalesce(nullif(regexp_replace(left(o.topic, 41), '\s\S*$', ''), left(o.topic, 41)),
                              left(o.topic, 40)) end
      from (
        select nullif(btrim(regexp_replace(coalesce(
            (select t.topic from unnest(topics) with ordinality as t (topic, place)
              where lower(t.topic) <> all (
                '{sad,sadness,grief,grieving,heartbroken,devastated,depressed,depressing,miserable,lonely,crying,cried,cry,
                  hurt,hurts,hopeless,awful,terrible,terribly,horrible,bad,worse,worst,down,low,upset,sorry,ashamed,
                  embarrassed,embarrassing,guilty,disappointed,disappointing,disappointment,worried,worry,worrying,worries,
                  nervous,anxious,anxiety,afraid,scared,scary,fear,terrified,panic,stressed,stress,stressful,overwhelmed,
                  angry,anger,mad,furious,annoyed,annoying,frustrated,frustrating,frustration,hate,hated,disgusted,disgusting,
                  happy,happiness,glad,joy,joyful,excited,exciting,excitement,thrilled,delighted,amazing,awesome,great,good,
                  better,best,wonderful,fantastic,lovely,nice,love,loved,loving,proud,pride,relieved,relief,hopeful,hope,
                  grateful,thankful,thanks,funny,fun,laugh,laughing,impressed,feel,feeling,feelings,mood,moon,front,
                  really,today,yesterday,tomorrow,again,still,right}'::text[])
              order by t.topic ~* '[^e]ed$' and length(t.topic) > 5 and not t.topic ~* '(hundred|hatred|moped)$', t.place
              limit 1),
            entities[1]), '\s+', ' ', 'g')), '') as topic
      ) as o
$$;

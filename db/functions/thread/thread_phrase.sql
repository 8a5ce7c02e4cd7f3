-- Returns the words for the state of a thread: "worried about job interview", "excited", "feeling low about Rex". They
-- contain a label's adjective and a topic, never other text of an episode.
create or replace function memory_internal.thread_phrase(
    emotion text, topic text, valence double precision) returns text
language sql immutable parallel safe as $$
    select coalesce(l.adjective, case when valence < 0 then 'feeling low' else 'feeling good' end)
           || coalesce(' ' || coalesce(l.preposition, 'about') || ' ' || topic, '')
      from (select) as one
      left join memory_internal.mood_labels() as l on l.label = thread_phrase.emotion
$$;

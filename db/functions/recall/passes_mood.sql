-- Returns whether an episode passes the mood's `bars` of recall_candidates; null passes all. A single expression, so
-- that the planner inlines it (`stable`, because the text of an array is).
create or replace function memory_internal.passes_mood(episode memory.episodic_memory, bars jsonb)
returns boolean
language sql stable parallel safe as $$
    select bars is null
        or (not bars ? 'valence' or episode.emotional_valence is null
            or abs(episode.emotional_valence - (bars ->> 'valence')::double precision)
               <= (bars ->> 'apart')::double precision)
       and (not bars ? 'topics' or episode.importance >= (bars ->> 'important')::double precision
            or bars -> 'topics' ?| lower(episode.topics::text)::text[])
       and (not bars ? 'felt' or episode.emotional_valence is null
            or episode.importance >= (bars ->> 'important')::double precision
            or sign(episode.emotional_valence) * sign((bars ->> 'felt')::double precision) >= 0
            or abs(episode.emotional_valence) <= (bars ->> 'strong')::double precision)
$$;

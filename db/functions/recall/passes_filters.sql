-- Returns whether an episode passes the filters of recall_candidates; a null filter passes all. A single expression,
-- so that the planner inlines it and can use an index for each filter that is not null.
create or replace function memory_internal.passes_filters(
    episode memory.episodic_memory, statuses text[], types text[], tags text[], min_importance double precision,
    since timestamptz, until timestamptz, recipient text, agent text, historical boolean, at timestamptz)
returns boolean
language sql immutable parallel safe as $$
    select episode.status = any (statuses)
       and (types is null or 'episodic' = any (types))
       and (tags is null or episode.tags && tags and episode.tags <> '{}')
       and (min_importance is null or episode.importance >= min_importance)
       and (since is null or episode.occurred_at >= since)
       and (until is null or episode.occurred_at <= until)
       and (not historical or episode.occurred_at <= at)
       and (recipient is null or episode.recipients @> array[recipient] and episode.recipients <> '{}')
       and (agent is null or episode.agent_id = agent)
$$;

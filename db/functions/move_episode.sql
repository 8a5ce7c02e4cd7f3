-- move_episodes for one: false where it was in another status already.
create or replace function memory_api.move_episode(
    bank text, memory uuid, from_statuses text[], to_status text, reason text, actor text,
    at timestamptz default now())
returns boolean
language sql as $$
    select memory_api.move_episodes(
        bank, array[memory], from_statuses, move_episode.to_status, move_episode.reason, move_episode.actor,
        move_episode.at) = 1;
$$;

-- set_episodes_status for one episode: false if it was in another status.
create or replace function memory_internal.set_episode_status(
    bank text, memory uuid, from_statuses text[], to_status text, reason text, actor text,
    at timestamptz default now())
returns boolean
language sql as $$
    select memory_internal.set_episodes_status(
        bank, array[memory], from_statuses, set_episode_status.to_status, set_episode_status.reason,
        set_episode_status.actor,
        set_episode_status.at) = 1;
$$;

-- Returns whether an episode of this valence and importance is a landmark, by the bank's limits (bank_limits).
create or replace function memory_internal.is_landmark(
    valence double precision, importance double precision, landmark_valence double precision,
    landmark_importance double precision)
returns boolean
language sql immutable as $$
    select abs(coalesce(valence, 0)) > landmark_valence or importance > landmark_importance;
$$;

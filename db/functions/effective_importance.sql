-- Importance as it stands at `at` (DESIGN §4, S1 4.3, S2): it halves every 100 x importance days, later where the
-- memory is used. Only ranking reads it; gates, caps and thresholds read the stored one.
create or replace function memory_api.effective_importance(
    importance double precision, occurred_at timestamptz, access_count integer, at timestamptz)
returns double precision
language sql immutable parallel safe as $$
    -- Not below exp(-600): Postgres takes an underflow for an error.
    select importance * exp(greatest(-600,
        -ln(2.0::double precision)
        * greatest(date_part('epoch', at - occurred_at) / 86400, 0)
        / (100 * greatest(importance, 0.1) * (1 + ln((1 + access_count)::double precision)))))
$$;

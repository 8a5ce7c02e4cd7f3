-- Importance as it stands at `at`: it halves every 100 x importance days, later where the memory is used. Only ranking reads
-- it; gates, caps and thresholds read the stored one. Below 1e-30 it counts as 0, and it fades to no less than exp(-600) of
-- the stored one, since Postgres raises an error where a figure underflows.
create or replace function memory_internal.effective_importance(
    importance double precision, occurred_at timestamptz, access_count integer, at timestamptz)
returns double precision
language sql immutable parallel safe as $$
    select memory_internal.flush_to_zero(importance) * exp(greatest(-600,
        -ln(2.0::double precision)
        * greatest(date_part('epoch', at - occurred_at) / 86400, 0)
        / (100 * greatest(importance, 0.1) * (1 + ln(1 + access_count::double precision)))))
$$;

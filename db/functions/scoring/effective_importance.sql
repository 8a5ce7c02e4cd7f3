-- Returns the importance decayed to `at`: it halves every 100 x importance days, more slowly the more often the
-- memory is accessed (docs/design.md, "Importance"). Only ranking uses it; gates, caps and thresholds use the stored
-- importance. Below 1e-30 it is 0, and it decays to no less than exp(-600) of the stored one, because Postgres
-- raises an error on underflow.
create or replace function memory_internal.effective_importance(
    importance double precision, occurred_at timestamptz, access_count integer, at timestamptz)
returns double precision
language sql immutable parallel safe as $$
    select memory_internal.flush_to_zero(importance) * exp(greatest(-600,
        -ln(2.0::double precision)
        * greatest(date_part('epoch', at - occurred_at) / 86400, 0)
        / (100 * greatest(importance, 0.1) * (1 + ln(1 + access_count::double precision)))))
$$;

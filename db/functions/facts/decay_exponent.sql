-- Returns the exponent of a fact's decay at `at` (confidence x exp(-exponent)):
--   0.02 (1 - importance) (decay_factor x days until it was contradicted + days since)
-- counted from its last confirmation (decay_factor). A permanent fact therefore decays only once another fact
-- contradicts it. Inverse: decay_time. A single expression, so that the planner inlines it.
create or replace function memory_internal.decay_exponent(
    importance double precision, last_confirmed timestamptz, attribute text, contradicted_at timestamptz, at timestamptz)
returns double precision
language sql immutable parallel safe as $$
    select 0.02 * (1 - importance) * (
        memory_internal.decay_factor(attribute)
            * greatest(date_part('epoch', least(at, contradicted_at) - last_confirmed) / 86400, 0)
        + case when contradicted_at is null then 0
               else greatest(date_part('epoch', at - greatest(last_confirmed, contradicted_at)) / 86400, 0) end);
$$;

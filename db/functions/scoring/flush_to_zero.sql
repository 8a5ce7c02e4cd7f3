-- The figure, or 0 where it is below 1e-30 from 0. Postgres raises an error (22003) where a product or quotient of figures
-- that are not 0 underflows; figures that come from callers go through this before they are multiplied. Two that passed it
-- have a product of at least 1e-60, and times exp(-600) of at least 1e-321.
create or replace function memory_internal.flush_to_zero(figure double precision) returns double precision
language sql immutable parallel safe as $$
    select case when abs(figure) < 1e-30 then 0 else figure end
$$;

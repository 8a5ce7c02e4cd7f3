-- Returns the figure, or 0 if its absolute value is below 1e-30. Postgres raises an error (22003) when a product or
-- quotient of nonzero figures underflows; figures from callers pass through this before multiplication. The product
-- of two that passed is at least 1e-60, and times exp(-600) at least 1e-321.
create or replace function memory_internal.flush_to_zero(figure double precision) returns double precision
language sql immutable parallel safe as $$
    select case when abs(figure) < 1e-30 then 0 else figure end
$$;

-- Returns the weight of a procedure, 0 to 1: the lower bound of the 95 % Wilson interval of the share of outcomes that
-- worked (docs/design.md, "Procedures").
create or replace function memory_internal.procedure_weight(worked integer, failed integer) returns double precision
language sql immutable parallel safe as $$
    select case when worked + failed = 0 then 0.2
                else greatest(0, (share + z * z / (2 * n) - z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)))
                                 / (1 + z * z / n)) end
      from (select 1.96::double precision as z, greatest(worked + failed, 1)::double precision as n,
                   worked::double precision / greatest(worked + failed, 1) as share) as given
$$;

-- When memory_internal.decay_exponent of a fact reaches `exponent`; null where it never does, or not within a hundred years.
create or replace function memory_internal.decay_time(
    exponent double precision, importance double precision, last_confirmed timestamptz, attribute text,
    contradicted_at timestamptz)
returns timestamptz
language plpgsql immutable parallel safe as $$
declare
    longest constant double precision := 36525;
    durability constant double precision := memory_internal.durability(attribute);
    slow constant double precision :=  -- days before the contradiction
        greatest(date_part('epoch', contradicted_at - last_confirmed) / 86400, 0);
    needed double precision;  -- days at durability 1
    days double precision;
begin
    if importance >= 1 then
        return null;
    end if;
    needed := exponent / (0.02 * (1 - importance));
    if contradicted_at is null or durability * slow >= needed then
        if durability = 0 and needed > 0 then
            return null;
        end if;
        days := case when needed <= 0 then 0 else needed / durability end;
    else
        days := slow + needed - durability * slow;
    end if;
    return case when days <= longest then last_confirmed + make_interval(secs => days * 86400) end;
end $$;

-- Returns when the decay_exponent of a fact reaches `exponent`; null if never or not within a hundred years. Called
-- by next_upkeep_time.
create or replace function memory_internal.decay_time(
    exponent double precision, importance double precision, last_confirmed timestamptz, attribute text,
    contradicted_at timestamptz)
returns timestamptz
language plpgsql immutable parallel safe as $$
declare
    max_days constant double precision := 36525;
    durability constant double precision := memory_internal.durability(attribute);
    days_before_contradiction constant double precision :=
        greatest(date_part('epoch', contradicted_at - last_confirmed) / 86400, 0);
    needed_days double precision;  -- at durability 1
    days double precision;
begin
    if importance >= 1 then
        return null;
    end if;
    needed_days := exponent / (0.02 * (1 - importance));
    if contradicted_at is null or durability * days_before_contradiction >= needed_days then
        if durability = 0 and needed_days > 0 then
            return null;
        end if;
        days := case when needed_days <= 0 then 0 else needed_days / durability end;
    else
        days := days_before_contradiction + needed_days - durability * days_before_contradiction;
    end if;
    return case when days <= max_days then last_confirmed + make_interval(secs => days * 86400) end;
end $$;

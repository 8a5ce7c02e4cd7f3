-- Returns when the decay_exponent of a fact reaches `exponent`; null if never or not within a hundred years. Called
-- by next_upkeep_time.
create or replace function memory_internal.decay_time(
    exponent double precision, importance double precision, last_confirmed timestamptz, attribute text,
    contradicted_at timestamptz)
returns timestamptz
language plpgsql immutable parallel safe as $$
declare
    max_days constant double precision := 36525;
    decay_factor constant double precision := memory_internal.decay_factor(attribute);
    days_before_contradiction constant double precision :=
        greatest(date_part('epoch', contradicted_at - last_confirmed) / 86400, 0);
    needed_days double precision;  -- at decay_factor 1
    days double precision;
begin
    if importance >= 1 then
        return null;
    end if;
    needed_days := exponent / (0.02 * (1 - importance));
    if contradicted_at is null or decay_factor * days_before_contradiction >= needed_days then
        if decay_factor = 0 and needed_days > 0 then
            return null;
        end if;
        days := case when needed_days <= 0 then 0 else needed_days / decay_factor end;
    else
        days := days_before_contradiction + needed_days - decay_factor * days_before_contradiction;
    end if;
    return case when days <= max_days then last_confirmed + make_interval(secs => days * 86400) end;
end $$;

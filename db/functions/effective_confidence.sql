-- Confidence as it stands at `at` (DESIGN §4, S1 6.2): it fades from the last confirmation on, at 0.01 a day for a fact of
-- importance 0.5 and not at all for one of importance 1. Computed, never stored. A stable fact does not fade below 0.35, so
-- that tools still find it; a pinned one does not fade. Every reader uses this one.
create or replace function memory_api.effective_confidence(
    confidence double precision, importance double precision, last_confirmed timestamptz, status text, pinned boolean,
    at timestamptz)
returns double precision
language sql immutable parallel safe as $$
    -- Not below exp(-600), and nothing of next to nothing: Postgres takes an underflow for an error.
    select case
        when pinned or confidence < 1e-30 then confidence
        else greatest(
            confidence * exp(greatest(-600,
                -0.02 * (1 - importance)
                * greatest(date_part('epoch', at - last_confirmed) / 86400, 0))),
            case when status = 'stable' then least(confidence, 0.35) else 0 end)
    end;
$$;

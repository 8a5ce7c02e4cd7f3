-- A fact's confidence at `at`: confidence x exp(-memory_internal.decay_exponent). A stable fact does not fall below 0.35, so that
-- tools still find it; a pinned one does not decay. Computed by every reader from what is stored, never stored itself. A
-- single expression, so that the planner inlines it.
create or replace function memory_internal.effective_confidence(
    confidence double precision, importance double precision, last_confirmed timestamptz, status text, pinned boolean,
    attribute text, contradicted_at timestamptz, at timestamptz)
returns double precision
language sql immutable parallel safe as $$
    -- The exponent is bounded: Postgres reports an underflow as an error.
    select case
        when pinned or confidence < 1e-30 then confidence
        else greatest(
            confidence * exp(-least(600,
                memory_internal.decay_exponent(importance, last_confirmed, attribute, contradicted_at, at))),
            case when status = 'stable' then least(confidence, 0.35) else 0 end)
    end;
$$;

-- Returns a fact's confidence at `at`: confidence x exp(-decay_exponent). A stable fact does not fall below 0.35, so
-- that it can still be found by tools; a pinned one does not decay. Computed by readers, never stored. A single
-- expression, so that the planner inlines it.
create or replace function memory_internal.effective_confidence(
    confidence double precision, importance double precision, last_confirmed timestamptz, status text, pinned boolean,
    attribute text, contradicted_at timestamptz, at timestamptz)
returns double precision
language sql immutable parallel safe as $$
    -- The exponent is bounded: Postgres raises an error on underflow.
    select case
        when pinned or confidence < 1e-30 then confidence
        else greatest(
            confidence * exp(-least(600,
                memory_internal.decay_exponent(importance, last_confirmed, attribute, contradicted_at, at))),
            case when status = 'stable' then least(confidence, 0.35) else 0 end)
    end;
$$;

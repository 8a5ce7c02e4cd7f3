-- Returns the thresholds of an embedding model, their source, and mean and spread of its cosines between unrelated
-- texts (null: those of the built-in model apply); no row for an unknown model. Called by the command `calibrate`.
create or replace function memory_api.read_thresholds(
    model text, out duplicate double precision, out conflict double precision, out evidence double precision,
    out source text, out unrelated_mean double precision, out unrelated_spread double precision)
returns setof record language sql stable as $$
    select m.duplicate_threshold, m.conflict_threshold, m.evidence_threshold, m.thresholds_source, m.unrelated_mean,
           m.unrelated_spread
      from memory.embedding_model m
     where m.name = model;
$$;

-- The thresholds of an embedding model and where they come from, and how its cosines of unrelated texts lie, null where
-- that is as the built-in model's; no row where the model is unknown.
create or replace function memory_api.read_thresholds(
    model text, out duplicate double precision, out conflict double precision, out evidence double precision,
    out source text, out unrelated_mean double precision, out unrelated_spread double precision)
returns setof record language sql stable as $$
    select m.duplicate_threshold, m.conflict_threshold, m.evidence_threshold, m.thresholds_from, m.unrelated_mean,
           m.unrelated_spread
      from memory.embedding_model m
     where m.name = model;
$$;

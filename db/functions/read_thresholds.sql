-- The thresholds of an embedding model and where they come from; no row where the model is unknown.
create or replace function memory_api.read_thresholds(
    model text, out duplicate double precision, out conflict double precision, out evidence double precision,
    out source text)
returns setof record language sql stable as $$
    select m.duplicate_threshold, m.conflict_threshold, m.evidence_threshold, m.thresholds_from
      from memory.embedding_model m
     where m.name = model;
$$;

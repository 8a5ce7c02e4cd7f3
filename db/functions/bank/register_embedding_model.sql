-- Inserts an embedding model with default thresholds (`thresholds_source` 'seeds'), valid until it is calibrated. An
-- existing model is left unchanged.
create or replace function memory_api.register_embedding_model(name text, dimensions integer) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into memory.embedding_model
        (name, dimensions, duplicate_threshold, conflict_threshold, evidence_threshold, thresholds_source)
    values (register_embedding_model.name, register_embedding_model.dimensions, 0.92, 0.85, 0.75, 'seeds')
    on conflict on constraint embedding_model_pkey do nothing;
$$;

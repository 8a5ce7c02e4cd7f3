-- Gives an embedding model other thresholds; null leaves one as it is. Whether anything changed. They are read
-- where they are used, in SQL, so running workers follow at once.
create or replace function memory_api.set_thresholds(
    model text, duplicate double precision, conflict double precision, evidence double precision, calibration jsonb,
    source text, at timestamptz default now())
returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
    with changed as (
        update memory.embedding_model m
           set duplicate_threshold = coalesce(duplicate, m.duplicate_threshold),
               conflict_threshold = coalesce(conflict, m.conflict_threshold),
               evidence_threshold = coalesce(evidence, m.evidence_threshold),
               calibration = m.calibration || set_thresholds.calibration || jsonb_build_object('at', at),
               thresholds_from = source
         where m.name = model and num_nonnulls(duplicate, conflict, evidence) > 0
        returning 1
    )
    select exists (select from changed);
$$;

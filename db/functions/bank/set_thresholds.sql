-- Updates the thresholds of an embedding model and its distribution of cosines between unrelated texts; a null
-- leaves a value unchanged. Returns whether anything changed. Called by the command `calibrate`. SQL reads
-- thresholds where they are used, so running workers apply them at once; mean and spread are read with the bank
-- (read_bank), which readers cache briefly.
create or replace function memory_api.set_thresholds(
    model text, duplicate double precision, conflict double precision, evidence double precision, calibration jsonb,
    source text, at timestamptz default now(), unrelated_mean double precision default null,
    unrelated_spread double precision default null)
returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
    with changed as (
        update memory.embedding_model m
           set duplicate_threshold = coalesce(duplicate, m.duplicate_threshold),
               conflict_threshold = coalesce(conflict, m.conflict_threshold),
               evidence_threshold = coalesce(evidence, m.evidence_threshold),
               unrelated_mean = coalesce(set_thresholds.unrelated_mean, m.unrelated_mean),
               unrelated_spread = coalesce(set_thresholds.unrelated_spread, m.unrelated_spread),
               calibration = m.calibration || set_thresholds.calibration || jsonb_build_object('at', at),
               thresholds_source =
                   case when num_nonnulls(duplicate, conflict, evidence) > 0 then source else m.thresholds_source end
         where m.name = model
           and num_nonnulls(duplicate, conflict, evidence, set_thresholds.unrelated_mean) > 0
        returning 1
    )
    select exists (select from changed);
$$;

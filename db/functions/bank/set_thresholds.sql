-- Gives an embedding model other thresholds, and says how its cosines of unrelated texts lie; null leaves one as it is.
-- Whether anything changed. Thresholds are read where they are used, in SQL, so running workers follow at once; the
-- scale comes with the bank, which readers hold for a moment.
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
               thresholds_from =
                   case when num_nonnulls(duplicate, conflict, evidence) > 0 then source else m.thresholds_from end
         where m.name = model
           and num_nonnulls(duplicate, conflict, evidence, set_thresholds.unrelated_mean) > 0
        returning 1
    )
    select exists (select from changed);
$$;

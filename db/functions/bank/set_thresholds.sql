-- Updates the thresholds of an embedding model and its distribution of cosines between unrelated texts; a null
-- leaves a value unchanged. Returns whether anything changed. Called by the command `calibrate`. SQL reads
-- thresholds where they are used, so running workers apply them at once; mean and spread are read with the bank
-- (read_bank), which readers cache briefly.
create or replace function memory_api.set_thresholds(
    model text, duplicate double precision, conflict double precision, evidence double precision, calibration jsonb,
    source text, at timestamptz default now(), unrelated_mean double precision default null,
    unrelated_spread double precision default null, actor text default 'operator')
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
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
       and num_nonnulls(duplicate, conflict, evidence, set_thresholds.unrelated_mean) > 0;
    if not found then
        return false;
    end if;
    perform memory_internal.record_audit(
        'thresholds_set', actor, null, null, '{}', jsonb_build_object('embedding_model', model, 'source', source), at);
    return true;
end $$;

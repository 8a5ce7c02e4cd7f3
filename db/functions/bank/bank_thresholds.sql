-- Returns the cosine thresholds of a bank for an embedding model: the bank's settings, else the model's; no row for
-- an unknown model. Every comparison of vectors reads them here. `merging`, the setting `merge_threshold`
-- (merge is a keyword): facts at or above it are merge candidates; by default 10/17 of the way from evidence to
-- duplicate, the position of 0.85 between 0.75 and 0.92, so that calibration moves it too.
create or replace function memory_api.bank_thresholds(bank text, model text)
returns table (duplicate double precision, conflict double precision, evidence double precision, merging double precision)
language plpgsql stable rows 1 as $$
declare
    bank_settings constant jsonb := memory_internal.bank_settings(bank);
begin
    select coalesce((bank_settings ->> 'duplicate_threshold')::double precision, m.duplicate_threshold),
           coalesce((bank_settings ->> 'conflict_threshold')::double precision, m.conflict_threshold),
           coalesce((bank_settings ->> 'evidence_threshold')::double precision, m.evidence_threshold)
      into duplicate, conflict, evidence
      from memory.embedding_model m
     where m.name = model;
    if found then
        merging := coalesce((bank_settings ->> 'merge_threshold')::double precision,
                            evidence + (duplicate - evidence) * 10 / 17);
        return next;
    end if;
end $$;

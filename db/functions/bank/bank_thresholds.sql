-- The cosine thresholds of a bank with this embedding model: the bank's settings, else the model's; no row where the model
-- is unknown. Every comparison of vectors reads them here. `merging`: two facts at or above it may be one; by default at
-- the same share of the way from evidence to duplicate as in S1 6.3 (0.75, 0.85, 0.92), so that calibration moves it too.
create or replace function memory_api.bank_thresholds(bank text, model text)
returns table (duplicate double precision, conflict double precision, evidence double precision, merging double precision)
language plpgsql stable rows 1 as $$
declare
    own jsonb;
begin
    perform memory_internal.enter_bank(bank);
    select b.settings into own from memory.bank b where b.bank_id = bank;
    select coalesce((own ->> 'duplicate_threshold')::double precision, m.duplicate_threshold),
           coalesce((own ->> 'conflict_threshold')::double precision, m.conflict_threshold),
           coalesce((own ->> 'evidence_threshold')::double precision, m.evidence_threshold)
      into duplicate, conflict, evidence
      from memory.embedding_model m
     where m.name = model;
    if found then
        merging := coalesce((own ->> 'merge_threshold')::double precision, evidence + (duplicate - evidence) * 10 / 17);
        return next;
    end if;
end $$;

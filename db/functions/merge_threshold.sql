-- From which cosine on two facts may be one (S1 6.3: 0.85 where evidence begins at 0.75 and near duplicates at 0.92): as far
-- between these two as in the seeds, so that what calibration says of a model moves it too. It proposes only.
create or replace function memory_api.merge_threshold(model text) returns double precision
language sql stable as $$
    select m.evidence_threshold + (m.duplicate_threshold - m.evidence_threshold) * 10 / 17
      from memory.embedding_model m
     where m.name = model;
$$;

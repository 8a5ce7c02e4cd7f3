-- How late something is, 1 at `at`, 1/2 thirty days before it (S2 "Hybrid Retrieval System"). `recency` in
-- memory_service/recall/rerank.py is the same, and gives memory_api.compaction_candidates its thirty days.
create or replace function memory_internal.recency(occurred_at timestamptz, at timestamptz) returns double precision
language sql immutable parallel safe as $$
    select 1 / (1 + greatest(date_part('epoch', at - occurred_at), 0) / 2592000)
$$;

-- Returns the recency of a time: 1 at `at`, 1/2 thirty days before (docs/design.md, "Recall"). `recency` in
-- memory_service/recall/rerank.py is the same function and passes the thirty days to compaction_candidates.
create or replace function memory_internal.recency(occurred_at timestamptz, at timestamptz) returns double precision
language sql immutable parallel safe as $$
    select 1 / (1 + greatest(date_part('epoch', at - occurred_at), 0) / 2592000)
$$;

-- The words of a memory's neighbours, from their `search`: those of a question that it answers weigh more. The bank's
-- word, which has no weight, stays behind.
create or replace function memory_internal.context_words(before tsvector, asks boolean, after tsvector) returns tsvector
language sql immutable parallel safe as $$
    select setweight(ts_filter(coalesce(before, ''), '{a}'), case when asks then 'B' else 'D' end::"char")
           || setweight(ts_filter(coalesce(after, ''), '{a}'), 'D')
$$;

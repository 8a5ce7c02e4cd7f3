-- Records that the rows of these erasures were overwritten, and returns how many receipts that changed. Called by an
-- administrator: the service role may not update receipts (memory_service/erasure/scrub.py).
create or replace function memory_internal.finish_scrub(erasures uuid[], at timestamptz) returns bigint
language sql volatile as $$
    with scrubbed as (
        update memory.erasure e
           set status = 'scrubbed', scrubbed_at = at
         where e.erasure_id = any (erasures) and e.status = 'unreachable'
        returning 1
    )
    select count(*) from scrubbed;
$$;

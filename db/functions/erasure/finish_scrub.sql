-- Records that the rows of these erasures, and of these banks that were moved to other servers, were overwritten;
-- returns how many receipts that changed. Called by an administrator: the service role may not update receipts
-- (memory_service/erasure/scrub.py).
create or replace function memory_internal.finish_scrub(erasures uuid[], moves text[], at timestamptz) returns bigint
language sql volatile as $$
    with moved as (
        update memory.bank_fence f
           set scrubbed_at = at
         where f.bank = any (moves) and f.moved and f.scrubbed_at is null
    ),
    scrubbed as (
        update memory.erasure e
           set status = 'scrubbed', scrubbed_at = at
         where e.erasure_id = any (erasures) and e.status = 'unreachable'
        returning 1
    )
    select count(*) from scrubbed;
$$;

-- Returns the erasures whose rows were deleted but not yet overwritten, of all banks. Called by an administrator, to
-- whom row security does not apply (memory_service/erasure/scrub.py).
create or replace function memory_internal.unscrubbed_erasures() returns uuid[]
language sql stable as $$
    select coalesce(array_agg(e.erasure_id order by e.erasure_id), '{}')
      from memory.erasure e
     where e.status = 'unreachable';
$$;

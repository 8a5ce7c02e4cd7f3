-- Returns the banks that were moved to other servers and whose rows were deleted here but not yet overwritten: the
-- bank's later erasures do not reach them. Called as unscrubbed_erasures.
create or replace function memory_internal.unscrubbed_moves() returns text[]
language sql stable as $$
    select coalesce(array_agg(f.bank order by f.bank), '{}')
      from memory.bank_fence f
     where f.moved and f.scrubbed_at is null
       and not exists (select from memory.bank b where b.bank_id = f.bank);
$$;

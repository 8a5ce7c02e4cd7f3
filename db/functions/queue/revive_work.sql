-- Revives up to `page` rows that were dead at `dead_until`, oldest first, with all their attempts, in their lane.
-- Called only by redrive_work, which also updates their subjects. A locked row is skipped: enqueue_work is reviving
-- it concurrently. Runs as the owner.
create or replace function memory_internal.revive_work(bank text, page integer, dead_until timestamptz, at timestamptz)
returns table (kind text, subject text)
language sql security definer set search_path = pg_catalog, pg_temp as $$
    with dead as materialized (
        select w.kind, w.subject
          from memory.work w
         where w.bank_id = bank and w.dead_at <= dead_until
         order by w.dead_at, w.kind, w.subject
         limit page
           for update skip locked
    )
    update memory.work w
       set generation = w.generation + 1, attempts = 0, alone = true, not_before = at, dead_at = null
      from dead d
     where w.bank_id = bank and w.kind = d.kind and w.subject = d.subject
    returning w.kind, w.subject;
$$;

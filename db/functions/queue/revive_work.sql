-- The queue's part of re-driving; callers use redrive_work, which also revives what the rows are about.
-- At most `page` rows that were dead at `died_by`, the oldest first, each with all its tries, in the lane it had.
-- A row that is locked is being revived by somebody else, by news about its subject.
create or replace function memory_internal.revive_work(bank text, page integer, died_by timestamptz, at timestamptz)
returns table (kind text, subject text)
language sql security definer set search_path = pg_catalog, pg_temp as $$
    with dead as materialized (
        select w.kind, w.subject
          from memory.work w
         where w.bank_id = bank and w.dead_at <= died_by
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

-- Inserts the row of (bank, kind, subject), or updates the existing one. While the row is leased, its generation is
-- incremented, so that the current holder cannot delete it (complete_work), and `not_before`, which is then the
-- lease's end, does not move.
-- A waiting row is only locked (an `on conflict` update with a false condition still locks): it cannot be claimed
-- before this transaction ends, so the next holder sees the new data, and a busy conversation creates no dead
-- tuples. A dead row is revived, because its subject has new data.
create or replace function memory_internal.enqueue_work(
    bank text, kind text, subject text, lane integer, ready_at timestamptz, at timestamptz)
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    insert into memory.work as w (bank_id, kind, subject, lane, not_before, enqueued_at)
    values (bank, enqueue_work.kind, enqueue_work.subject, enqueue_work.lane, ready_at, at)
    on conflict on constraint work_pkey do update
       set generation = w.generation + 1,
           lane = least(w.lane, excluded.lane),
           not_before = case when w.lease_token is null then least(w.not_before, excluded.not_before)
                             else w.not_before end,
           attempts = case when w.dead_at is null then w.attempts else 0 end,
           dead_at = null
     where w.lease_token is not null or w.dead_at is not null
        or w.not_before > excluded.not_before or w.lane > excluded.lane;
end $$;

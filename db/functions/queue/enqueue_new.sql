-- Enqueues several new subjects in one statement; existing rows are left unchanged (unlike enqueue_work). `since` is
-- the time at which each subject's last message was recorded (default `at`); it becomes `not_before`, by which
-- claim_work finds the newest rows.
create or replace function memory_internal.enqueue_new(
    bank text, kind text, subjects text[], lanes integer[], at timestamptz, since timestamptz[] default '{}')
returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into memory.work (bank_id, kind, subject, lane, not_before, enqueued_at)
    select bank, enqueue_new.kind, s.subject, s.lane, least(s.since, at), at
      from unnest(subjects, lanes, since) as s (subject, lane, since)
     order by s.subject
    on conflict on constraint work_pkey do nothing;
$$;

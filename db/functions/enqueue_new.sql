-- enqueue_work for many subjects that have just come to be, so that no row can be about them yet. Where one is all
-- the same, it is left as it is.
create or replace function memory_api.enqueue_new(
    bank text, kind text, subjects text[], lanes integer[], at timestamptz)
returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into memory.work (bank_id, kind, subject, lane, not_before, enqueued_at)
    select bank, enqueue_new.kind, s.subject, s.lane, at, at
      from unnest(subjects, lanes) as s (subject, lane)
     order by s.subject
    on conflict on constraint work_pkey do nothing;
$$;

-- enqueue_work for many subjects that have just come to be, so that no row can be about them yet. Where one is all
-- the same, it is left as it is. `since`, per subject, is when it was said, now where it is left out: what was said
-- last became ready last (claim_work).
create or replace function memory_api.enqueue_new(
    bank text, kind text, subjects text[], lanes integer[], at timestamptz, since timestamptz[] default '{}')
returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into memory.work (bank_id, kind, subject, lane, not_before, enqueued_at)
    select bank, enqueue_new.kind, s.subject, s.lane, least(s.since, at), at
      from unnest(subjects, lanes, since) as s (subject, lane, since)
     order by s.subject
    on conflict on constraint work_pkey do nothing;
$$;

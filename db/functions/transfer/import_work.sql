-- Inserts work rows of an export, not leased. Runs as the owner: the queue has no row security.
create or replace function memory_internal.import_work(bank text, lines text[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.work
        (bank_id, kind, subject, lane, not_before, attempts, enqueued_at, last_error, dead_at, alone)
    select bank, r.kind, case r.kind when 'relational' then bank else r.subject end, r.lane, now(), r.attempts,
           r.enqueued_at, r.last_error, r.dead_at, r.alone
      from unnest(lines) as l (line)
     cross join lateral json_populate_record(null::memory.work, l.line::json) as r;
end $$;

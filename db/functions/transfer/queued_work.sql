-- Returns the work rows of a bank, for an export. Runs as the owner: the queue has no row security.
create or replace function memory_internal.queued_work(bank text)
returns table (bank_id text, kind text, subject text, lane smallint, attempts integer, enqueued_at timestamptz,
               last_error text, dead_at timestamptz, alone boolean)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
    perform memory_internal.enter_bank(bank);
    return query
        select w.bank_id, w.kind, w.subject, w.lane, w.attempts, w.enqueued_at, w.last_error, w.dead_at, w.alone
          from memory.work w
         where w.bank_id = bank;
end $$;

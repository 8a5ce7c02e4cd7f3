-- Returns one page of the dead letters of one bank, or of all banks where `bank` is null, oldest first. `about` is
-- the type of id in `subject`. Called by the command `dead-letters` and by GET /dead-letters. Runs as the owner: the
-- queue spans banks and has no row security; rows contain ids and error reasons, no memory text. force_custom_plan:
-- a late page is planned for its own position and costs as much as the first.
create or replace function memory_api.list_dead_work(
    bank text, page integer, after_at timestamptz default null, after_bank text default null,
    after_kind text default null, after_subject text default null)
returns table (bank_id text, kind text, about text, subject text, attempts integer, reason text, dead_at timestamptz,
               enqueued_at timestamptz)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
    if bank is not null then
        perform memory_internal.require_bank(bank);
    end if;
    return query
        select w.bank_id, w.kind,
               case w.kind when 'segment' then 'conversation' when 'extract' then 'segment' when 'relational' then 'bank'
                    else 'memory' end,
               w.subject, w.attempts, coalesce(w.last_error, 'unknown'), w.dead_at, w.enqueued_at
          from memory.work w
         where w.dead_at is not null and (bank is null or w.bank_id = bank)
           and (after_at is null
                or (w.dead_at, w.bank_id, w.kind, w.subject) > (after_at, after_bank, after_kind, after_subject))
         order by w.dead_at, w.bank_id, w.kind, w.subject
         limit page;
end $$;

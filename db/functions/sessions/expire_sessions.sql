-- Deletes at most `page` sessions of a bank that were last updated more than the bank's session_days ago (default:
-- `days`, null: never), and returns their number. Rows locked by others are skipped, so that it can be repeated,
-- interrupted and run concurrently. Called by workers every hour.
create or replace function memory_api.expire_sessions(
    bank text, days double precision default null, page integer default 100, at timestamptz default now())
returns integer
language plpgsql as $$
declare
    kept_since constant timestamptz := at - make_interval(
        secs => 86400 * coalesce((memory_internal.bank_settings(bank) ->> 'session_days')::double precision, days));
    expired text[];
begin
    perform memory_internal.require_bank(bank);
    expired := array(
        select s.session_id
          from memory.session_memory s
         where s.bank_id = bank and s.updated_at < kept_since
         order by s.updated_at
         limit page
           for update skip locked);
    if expired <> '{}' then
        perform memory_internal.delete_sessions(bank, expired, 'worker', null, 'expired', at);
    end if;
    return cardinality(expired);
end $$;

-- Empties the content of raw messages older than the bank's message_days (default: `days`), counted from
-- recorded_at. Only messages with a decision expire; a failed one waits for its dead letter to be redriven. The row
-- stays, so that a repeated import remains deduplicated. At most `page` per call; returns their number. Takes the
-- bank lock.
create or replace function memory_api.expire_messages(
    bank text, days double precision, page integer default 1000, at timestamptz default now())
returns integer
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    kept_since timestamptz;
    emptied integer;
begin
    perform memory_internal.enter_bank(bank);
    select at - make_interval(
               secs => 86400 * least(coalesce((b.settings ->> 'message_days')::double precision, days), 36500))
      into kept_since
      from memory.bank b
     where b.bank_id = bank
       for no key update;
    with old as materialized (
        select m.conversation_id, m.position
          from memory.message m
         where m.bank_id = bank and m.expired_at is null and m.status in ('stored', 'refused')
           and m.recorded_at < kept_since
         order by m.recorded_at
         limit page
           for no key update
    )
    update memory.message m
       set content = '', name = null, metadata = '{}', expired_at = at
      from old
     where m.bank_id = bank and m.conversation_id = old.conversation_id and m.position = old.position;
    get diagnostics emptied = row_count;
    return emptied;
end $$;

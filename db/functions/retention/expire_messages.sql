-- Raw messages are kept for a time: the bank's message_days, else those handed in, counted from when they were recorded, and
-- only once they are decided about; one that failed waits for its dead letter to be driven again. Then their content is
-- emptied; the key stays, so that an import run twice stays single. At most `page` a call; the answer is how many.
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

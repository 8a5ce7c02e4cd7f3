-- Records that a pass has processed memories in these states: it processes them again when their state differs.
create or replace function memory_api.set_watermark(bank text, pass text, memories uuid[], states text[]) returns void
language plpgsql as $$
begin
    perform memory_internal.enter_bank(bank);
    insert into memory.watermark (bank_id, pass, memory_id, state)
    select bank, set_watermark.pass, m.memory_id, m.state
      from unnest(memories, states) as m (memory_id, state)
     order by m.memory_id
    on conflict on constraint watermark_pkey do update
       set state = excluded.state
     where watermark.state <> excluded.state;
end $$;

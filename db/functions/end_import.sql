-- Nothing more comes for these conversations: their last exchanges close now instead of after quiet.
create or replace function memory_api.end_import(bank text, conversations text[], at timestamptz default now())
returns void
language plpgsql as $$
begin
    perform memory_api.require_bank(bank);
    update memory.conversation c
       set import_ended_at = at
     where c.bank_id = bank and c.conversation_id = any (conversations);
    perform memory_api.enqueue_work(bank, 'cut', c.conversation_id, 1, at, at)
       from memory.conversation c
      where c.bank_id = bank and c.conversation_id = any (conversations)
        and exists (select from memory.message m
                     where m.bank_id = bank and m.conversation_id = c.conversation_id and m.segment_id is null)
      order by c.conversation_id;
end $$;

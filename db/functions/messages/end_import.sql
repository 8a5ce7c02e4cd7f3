-- Records that these conversations are complete: their last exchanges are closed at once instead of after the quiet
-- period. Called at the end of an import. Locks: the conversations' advisory locks (shared), then their rows.
create or replace function memory_api.end_import(bank text, conversations text[], at timestamptz default now())
returns void
language plpgsql as $$
begin
    perform memory_internal.require_bank(bank);
    -- Before any row, as in segment_conversation, which holds the work row while it updates the conversation.
    perform pg_advisory_xact_lock_shared(memory_internal.conversation_lock_key(bank, name))
       from (select distinct unnest(conversations) as name order by 1) as named;
    insert into memory.conversation as c (bank_id, conversation_id, created_at, import_ended_at)
    select bank, name, at, at from unnest(conversations) as name order by name
    on conflict on constraint conversation_pkey do update set import_ended_at = excluded.import_ended_at;
    perform memory_internal.enqueue_work(bank, 'segment', c.conversation_id, 1, at, at)
       from memory.conversation c
      where c.bank_id = bank and c.conversation_id = any (conversations)
        and exists (select from memory.message m
                     where m.bank_id = bank and m.conversation_id = c.conversation_id and m.segment_id is null)
      order by c.conversation_id;
end $$;
